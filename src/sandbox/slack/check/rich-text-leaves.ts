import { type Check, refuse, shortened } from './path.ts';
import { atLeastOne, kind, object, typed } from './shapes.ts';
import { link } from './urls.ts';
import { channelId, flag, integer, like, oneOf, teamId, usergroupId, userId, words } from './values.ts';

const styles = { bold: flag, italic: flag, strike: flag, underline: flag, code: flag };
const style = object({ optional: styles }, atLeastOne(...Object.keys(styles)));

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
  words(value, path);
  if (typeof value !== 'string') return;
  const tokens = value.match(/\{[^{}]*\}/g) ?? [];
  const unknown = tokens.find((token) => !dateTokens.has(token.slice(1, -1)));
  if (tokens.length === 0) refuse(path, 'must contain a date token');
  if (unknown !== undefined) refuse(path, `unknown date token: ${shortened(unknown)}`);
};

const textLeaf = kind({ required: { text: words }, optional: { style } });
const linkLeaf = kind({ required: { url: link }, optional: { text: words, unsafe: flag, style } });

export const richTextLeaf = typed({
  text: textLeaf,
  link: linkLeaf,
  user: kind({ required: { user_id: userId }, optional: { style } }),
  usergroup: kind({ required: { usergroup_id: usergroupId }, optional: { style } }),
  team: kind({ required: { team_id: teamId }, optional: { style } }),
  channel: kind({ required: { channel_id: channelId }, optional: { style } }),
  broadcast: kind({ required: { range: oneOf('here', 'channel', 'everyone') }, optional: { style } }),
  color: kind({ required: { value: like(/^#[0-9a-fA-F]{6}$/, 'a colour as #rrggbb') }, optional: { style } }),
  emoji: kind({
    required: { name: like(/^[^\s:]{1,100}$/, 'the name of an emoji, without colons') },
    optional: { unicode: like(/^[0-9a-f]{2,6}(-[0-9a-f]{2,6}){0,15}$/, 'hexadecimal code points'), url: link, style },
  }),
  date: kind({
    required: { timestamp: integer(0), format: dateFormat },
    optional: { url: link, fallback: words, style },
  }),
});

/** Preformatted text accepts only these. */
export const verbatimLeaf = typed({ text: textLeaf, link: linkLeaf });
