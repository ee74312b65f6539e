import { type Check, refuse, shortened } from './path.ts';
import { atLeastOneOf, byType, object, variant } from './shapes.ts';
import { link } from './urls.ts';
import { channelId, flag, integer, matching, oneOf, teamId, unlimitedText, usergroupId, userId } from './values.ts';

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

const textLeaf = variant({ required: { text: unlimitedText }, optional: { style } });
const linkLeaf = variant({ required: { url: link }, optional: { text: unlimitedText, unsafe: flag, style } });

export const richTextLeaf = byType({
  text: textLeaf,
  link: linkLeaf,
  user: variant({ required: { user_id: userId }, optional: { style } }),
  usergroup: variant({ required: { usergroup_id: usergroupId }, optional: { style } }),
  team: variant({ required: { team_id: teamId }, optional: { style } }),
  channel: variant({ required: { channel_id: channelId }, optional: { style } }),
  broadcast: variant({ required: { range: oneOf('here', 'channel', 'everyone') }, optional: { style } }),
  color: variant({ required: { value: matching(/^#[0-9a-fA-F]{6}$/, 'a colour as #rrggbb') }, optional: { style } }),
  emoji: variant({
    required: { name: matching(/^[^\s:]{1,100}$/, 'the name of an emoji, without colons') },
    optional: {
      unicode: matching(/^[0-9a-f]{2,6}(-[0-9a-f]{2,6}){0,15}$/, 'hexadecimal code points'),
      url: link,
      style,
    },
  }),
  date: variant({
    required: { timestamp: integer(0), format: dateFormat },
    optional: { url: link, fallback: unlimitedText, style },
  }),
});

/** Preformatted text accepts only these. */
export const verbatimLeaf = byType({ text: textLeaf, link: linkLeaf });
