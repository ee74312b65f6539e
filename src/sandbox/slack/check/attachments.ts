import { blockLists } from './blocks/index.ts';
import { limits } from './limits.ts';
import { type Check, refuse } from './path.ts';
import { list, notSupportedHere, object } from './shapes.ts';
import { webAddress } from './urls.ts';
import { flag, like, oneOf, text, words } from './values.ts';

const color: Check = (value, path) => {
  if (typeof value !== 'string' || !/^(good|warning|danger|#[0-9a-fA-F]{6})$/.test(value)) {
    refuse(path, 'must be good, warning, danger or a colour as #rrggbb');
  }
};

const field = object({ required: { title: words, value: words }, optional: { short: flag } });

const attachment = object({
  optional: {
    blocks: blockLists.message,
    fallback: words,
    color,
    pretext: words,
    author_name: words,
    author_link: webAddress,
    author_icon: webAddress,
    author_subname: words,
    title: words,
    title_link: webAddress,
    text: words,
    fields: list(field),
    image_url: webAddress,
    thumb_url: webAddress,
    footer: text(limits.attachment.footer),
    footer_icon: webAddress,
    ts: like(/^\d{10}(\.\d{1,6})?$/, 'a Unix timestamp'),
    mrkdwn_in: list(oneOf('pretext', 'text', 'fields')),
    // The legacy buttons and menus from before Block Kit.
    actions: notSupportedHere('actions of an attachment'),
    callback_id: notSupportedHere('callback_id of an attachment'),
  },
});

/** No limit here: Slack has a separate error code for too many attachments. */
export const attachmentList = list(attachment, { min: 0 });
