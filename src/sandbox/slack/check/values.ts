import { z } from 'zod';
import { limits } from './limits.ts';

/** A string with one check that returns the problem, because many small checks take longer. */
const checkedString = (problemOf: (value: string) => string | undefined) =>
  z
    .string()
    .refine((value) => problemOf(value) === undefined, { error: ({ input }) => problemOf(String(input)) ?? '' });

/** A string of `min` to `max` UTF-16 units. Zod's own limits count code points. */
export const text = (max = Number.POSITIVE_INFINITY, min = 1) =>
  checkedString((value) => lengthProblem(value, max, min) ?? unicodeProblem(value));

function lengthProblem(value: string, max: number, min = 1): string | undefined {
  if (value.length < min) return `must be more than ${min - 1} characters`;
  return value.length > max ? `must be less than ${max + 1} characters` : undefined;
}

/** A lone surrogate can't be encoded in UTF-8, so it would arrive changed. */
function unicodeProblem(value: string): string | undefined {
  return value.isWellFormed() ? undefined : 'must be valid Unicode';
}

/** Text of spaces only can't be read or clicked. */
const visibleText = (max: number) =>
  checkedString(
    (value) =>
      lengthProblem(value, max) ??
      unicodeProblem(value) ??
      (value.trim() === '' ? 'must be more than spaces' : undefined),
  );

export const flag = z.boolean().optional();

/** An object with exactly these fields, for a discriminated union. */
export const typed = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...shape });

export const list = <Item extends z.ZodType>(item: Item, max = Number.POSITIVE_INFINITY) =>
  z.array(item).min(1).max(max);

const plain = (max: number) => typed('plain_text', { text: visibleText(max), emoji: flag });
const mrkdwn = (max: number) => typed('mrkdwn', { text: visibleText(max), verbatim: flag });

export const plainText = (max: number) => z.discriminatedUnion('type', [plain(max)]);
export const anyText = (max: number) => z.discriminatedUnion('type', [plain(max), mrkdwn(max)]);

export const id = text(limits.id);

export const integer = (min: number, max = Number.MAX_SAFE_INTEGER) => z.int().min(min).max(max);

/** A day, as `YYYY-MM-DD`. */
export const date = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'must be a date as YYYY-MM-DD');

export const userId = z.string().regex(/^[UW][A-Z0-9]{1,30}$/, 'must be the id of a user');
export const conversationId = z.string().regex(/^[CDG][A-Z0-9]{1,30}$/, 'must be the id of a conversation');
export const channelId = z.string().regex(/^[CG][A-Z0-9]{1,30}$/, 'must be the id of a channel');

/** No schemes that run or embed code (javascript:, data:), and no file:. */
const schemes = ['http:', 'https:', 'mailto:', 'slack:', 'tel:'];

/** For links that people open. */
export const link = checkedString((value) => {
  const problem = lengthProblem(value, limits.url);
  if (problem !== undefined) return problem;
  if (!isUrl(value)) return 'must be a valid URL';
  if (schemes.includes(new URL(value).protocol)) return undefined;
  return `must be a URL that begins with ${schemes.join(' or ')}`;
});

/** `URL.canParse` alone would accept invalid URLs: it drops some whitespace and replaces lone surrogates. */
function isUrl(value: string): boolean {
  return !/[\s\p{Cc}]/u.test(value) && value.isWellFormed() && URL.canParse(value);
}

/** For a list: no two items have the same `field`. */
export function unique<Field extends string>(field: Field) {
  return (items: readonly { [name in Field]?: string | undefined }[], context: z.core.$RefinementCtx) => {
    const seen = new Set<string>();
    for (const [index, { [field]: value }] of items.entries()) {
      if (value === undefined) continue;
      if (seen.has(value))
        context.addIssue({ code: 'custom', message: `duplicate \`${field}\``, path: [index, field] });
      seen.add(value);
    }
  };
}

/** A list without duplicates. */
export const uniqueList = <Item extends z.ZodType<string>>(item: Item) =>
  list(item).refine((items) => new Set(items).size === items.length, 'items must be unique');
