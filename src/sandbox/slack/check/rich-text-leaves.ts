import { type Check, refuse, shortened } from './path.ts';
import { atLeastOneOf, byType, object, variant } from './shapes.ts';
import { link } from './urls.ts';
import { channelId, flag, integer, unlimitedText, userId } from './values.ts';

const styles = { bold: flag, italic: flag, strike: flag, underline: flag, code: flag };
const style = object({ optional: styles }, atLeastOneOf(...Object.keys(styles)));

const dateTokens = new Set([
  'ago',
  'date',
  'date_long',
  'date_long_full',
  'date_long_pretty',
  'date_num',
  'date_pretty',
  'date_short',
  'date_short_pretty',
  'date_slash',
  'day_divider_pretty',
  'time',
  'time_secs',
]);

const dateFormat: Check = (value, path) => {
  unlimitedText(value, path);
  if (typeof value !== 'string') return;
  const tokens = value.match(/\{[^{}]*\}/g) ?? [];
  const unknown = tokens.find((token) => !dateTokens.has(token.slice(1, -1)));
  if (tokens.length === 0) refuse(path, 'must contain a date token');
  if (unknown !== undefined) refuse(path, `unknown date token: ${shortened(unknown)}`);
};

/** The pieces that the bot uses. Emoji, groups and mentions of a whole channel are refused. */
export const richTextLeaf = byType({
  text: variant({ required: { text: unlimitedText }, optional: { style } }),
  link: variant({ required: { url: link }, optional: { text: unlimitedText, unsafe: flag, style } }),
  user: variant({ required: { user_id: userId }, optional: { style } }),
  channel: variant({ required: { channel_id: channelId }, optional: { style } }),
  date: variant({
    required: { timestamp: integer(0), format: dateFormat },
    optional: { url: link, fallback: unlimitedText, style },
  }),
});
