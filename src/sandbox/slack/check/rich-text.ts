import { z } from 'zod';
import { limits } from './limits.ts';
import { shortened } from './problem.ts';
import { channelId, flag, integer, link, list, text, typed, userId } from './values.ts';

const style = z
  .strictObject({ bold: flag, italic: flag, strike: flag, underline: flag, code: flag })
  .refine(
    (style) => Object.keys(style).length > 0,
    'must define at least one of: bold, italic, strike, underline, code',
  )
  .optional();

const dateTokens = `ago date date_long date_long_full date_long_pretty date_num date_pretty date_short
  date_short_pretty date_slash day_divider_pretty time time_secs`.split(/\s+/);

const dateFormat = text().superRefine((format, context) => {
  const tokens = format.match(/\{[^{}]*\}/g) ?? [];
  const unknown = tokens.find((token) => !dateTokens.includes(token.slice(1, -1)));
  if (tokens.length === 0) context.addIssue('must contain a date token');
  if (unknown !== undefined) context.addIssue(`unknown date token: ${shortened(unknown)}`);
});

/** The pieces that the bot uses. Emoji, groups and mentions of a whole channel are refused. */
const leaf = z.discriminatedUnion('type', [
  typed('text', { text: text(), style }),
  typed('link', { url: link, text: text().optional(), unsafe: flag, style }),
  typed('user', { user_id: userId, style }),
  typed('channel', { channel_id: channelId, style }),
  typed('date', {
    timestamp: integer(0),
    format: dateFormat,
    url: link.optional(),
    fallback: text().optional(),
    style,
  }),
]);

const section = typed('rich_text_section', { elements: list(leaf) });

const richTextList = typed('rich_text_list', {
  style: z.enum(['bullet', 'ordered']),
  elements: list(z.discriminatedUnion('type', [section])),
  indent: integer(0, limits.richText.indent).optional(),
  offset: integer(0).optional(),
  border: z.literal([0, 1]).optional(),
});

export const richTextElements = list(z.discriminatedUnion('type', [section, richTextList]));
