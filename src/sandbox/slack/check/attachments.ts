import { blockLists } from './blocks/index.ts';
import { limits } from './limits.ts';
import { type Check, refuse } from './path.ts';
import { list, object, unsupported } from './shapes.ts';
import { webUrl } from './urls.ts';
import { flag, matching, oneOf, text, unlimitedText } from './values.ts';

const color: Check = (value, path) => {
  if (typeof value !== 'string' || !/^(good|warning|danger|#[0-9a-fA-F]{6})$/.test(value)) {
    refuse(path, 'must be good, warning, danger or a colour as #rrggbb');
  }
};

const field = object({ required: { title: unlimitedText, value: unlimitedText }, optional: { short: flag } });

const attachment = object({
  optional: {
    blocks: blockLists.message,
    fallback: unlimitedText,
    color,
    pretext: unlimitedText,
    author_name: unlimitedText,
    author_link: webUrl,
    author_icon: webUrl,
    author_subname: unlimitedText,
    title: unlimitedText,
    title_link: webUrl,
    text: unlimitedText,
    fields: list(field),
    image_url: webUrl,
    thumb_url: webUrl,
    footer: text(limits.attachment.footer),
    footer_icon: webUrl,
    ts: matching(/^\d{10}(\.\d{1,6})?$/, 'a Unix timestamp'),
    mrkdwn_in: list(oneOf('pretext', 'text', 'fields')),
    // The legacy buttons and menus from before Block Kit.
    actions: unsupported('actions of an attachment'),
    callback_id: unsupported('callback_id of an attachment'),
  },
});

/** No limit here: Slack has a separate error code for too many attachments. */
export const attachmentList = list(attachment, { min: 0 });
