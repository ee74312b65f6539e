import { z } from 'zod';
import { bounds } from '../../../lib/bounds.ts';
import type { Phrase } from '../../common/services.ts';
import type { Weakens } from './phrases.ts';

/** The forms, with their titles. */
export const pages = {
  delivery: 'Downloads',
  people: 'Permissions',
  sending: 'Sending',
  files: 'File rules',
  approval: 'Approval',
  service: 'Service',
} as const;
export type Page = keyof typeof pages;

/** A part of a value as the audit records it: ids and sizes as such, all else in words. */
export type ShownValue = string | { user: string } | { channel: string } | { bytes: number };

export interface Choice {
  label: string;
  value: string;
  description?: string;
}

/** How the form asks for a setting. */
export type Field = Input & { label: string; hint?: string };

type Input =
  | { kind: 'choice' | 'checks'; choices: readonly Choice[] }
  | { kind: 'text'; isLong?: boolean; isOptional?: boolean; maxLength?: number; placeholder?: string }
  | { kind: 'people' | 'channels' | 'privateChannel' | 'permission' };

/** What a field of a form has: the text or the chosen value, or a list of ids or values. */
export type FieldValue = string | readonly string[];

/** One simple setting: everything that differs between settings. Forms, audit, notices and the manual come from it. */
export interface Setting<T = unknown> {
  /** Settings of the workspace stay when another account is connected. */
  owner?: 'workspace';
  page: Page;
  schema: z.ZodType<T>;
  /** Its name in the audit, in error messages and in the manual. */
  title: string;
  field: Field;
  /** What an empty value means. */
  none: string;
  /** What emptying it turns off or removes. This has to be confirmed, because Slack can lose a value. */
  turnsOff?: string;
  removes?: string;
  toField(value: T): FieldValue;
  /** The schema checks the result. */
  fromField(entered: FieldValue): unknown;
  show(value: T): ShownValue[];
  weakens(before: T, after: T): Phrase[];
}

interface Basics<T> {
  page: Page;
  owner?: 'workspace';
  title: string;
  label: string;
  hint?: string;
  none?: string;
  turnsOff?: string;
  removes?: string;
  weakens: Weakens<T>;
}

type Codec<T> = Pick<Setting<T>, 'toField' | 'fromField' | 'show'>;

function setting<S extends z.ZodType>(
  schema: S,
  { page, owner, title, label, hint, none = 'none', turnsOff, removes, weakens }: Basics<z.output<S>>,
  input: Input,
  codec: Codec<z.output<S>>,
) {
  return { schema, field: { label, hint, ...input }, page, owner, title, none, turnsOff, removes, weakens, ...codec };
}

const textOf = (entered: FieldValue): string => (typeof entered === 'string' ? entered : '');
const listOf = (entered: FieldValue): string[] => (typeof entered === 'string' ? [] : [...entered]);
/** A label within a text. */
const inText = (label: string) =>
  label.startsWith("I'") ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
const labelOf = (choices: readonly Choice[], value: string) =>
  inText(choices.find((choice) => choice.value === value)?.label ?? value);

type ChoiceOf<V extends string> = Choice & { value: V };

export function choice<const V extends string>({
  choices,
  initial,
  ...basics
}: Basics<NoInfer<V>> & { choices: readonly ChoiceOf<V>[]; initial: NoInfer<V> }) {
  const schema = z.enum(choices.map(({ value }) => value) as [V, ...V[]]).default(initial as never);
  return setting(
    schema as unknown as z.ZodDefault<z.ZodType<V>>,
    basics,
    { kind: 'choice', choices },
    {
      toField: (value) => value,
      fromField: textOf,
      show: (value) => [labelOf(choices, value)],
    },
  );
}

/** On or off, each with an explanation. */
export function toggle({
  off,
  on,
  ...basics
}: Basics<boolean> & Record<'off' | 'on', Pick<Choice, 'label' | 'description'>>) {
  const choices = [
    { ...off, value: 'off' },
    { ...on, value: 'on' },
  ];
  return setting(
    z.boolean().default(false),
    basics,
    { kind: 'choice', choices },
    {
      toField: (value) => (value ? 'on' : 'off'),
      fromField: (entered) => entered === 'on',
      show: (value) => [inText((value ? on : off).label)],
    },
  );
}

/** Any of a few choices. */
export function checks<const V extends string>({
  choices,
  ...basics
}: Basics<NoInfer<V>[]> & { choices: readonly ChoiceOf<V>[] }) {
  const values = choices.map(({ value }) => value) as [V, ...V[]];
  const schema = z.array(z.enum(values)).default([]) as unknown as z.ZodDefault<z.ZodType<V[]>>;
  return setting(
    schema,
    basics,
    { kind: 'checks', choices },
    {
      toField: (value) => value,
      fromField: listOf,
      show: (value) => value.map((one) => labelOf(choices, one)),
    },
  );
}

export const wholeNumberText = 'Enter a whole number of 1 or more.';

export const wholeNumber = (max = 999_999_999, message = wholeNumberText) =>
  z.int(message).min(1, message).max(max, message);

const typedNumber = (entered: FieldValue): number | undefined => {
  const text = textOf(entered);
  return text === '' ? undefined : /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
};

/** A number that is always set. */
export function number({
  initial,
  schema = wholeNumber(),
  ...basics
}: Basics<number> & { initial: number; schema?: z.ZodNumber }) {
  return setting(
    schema.default(initial),
    basics,
    { kind: 'text', maxLength: 10 },
    {
      toField: String,
      // An empty field isn't the default.
      fromField: (entered) => typedNumber(entered) ?? Number.NaN,
      show: (value) => [String(value)],
    },
  );
}

/** A maximum; undefined for none. */
export function limit({
  isMegabytes = false,
  max,
  ...basics
}: Basics<number | undefined> & { isMegabytes?: boolean; max?: number }) {
  const input: Input = { kind: 'text', isOptional: true, maxLength: 10 };
  return setting(wholeNumber(max).optional(), { none: 'no limit', ...basics }, input, {
    toField: (value) => (value === undefined ? '' : String(value)),
    fromField: typedNumber,
    show: (value) => (value === undefined ? [] : [isMegabytes ? { bytes: value * 1_000_000 } : String(value)]),
  });
}

export function text({ max, ...basics }: Basics<string> & { max: number }) {
  const input: Input = { kind: 'text', isOptional: true, isLong: true, maxLength: max };
  return setting(z.string().max(max).default(''), basics, input, {
    toField: (value) => value,
    fromField: textOf,
    show: (value) => (value === '' ? [] : [value]),
  });
}

/** One of a few numbers, each with its words. */
export function numberChoice({
  choices,
  initial,
  ...basics
}: Basics<number> & { choices: readonly [label: string, value: number][]; initial: number }) {
  const values = choices.map(([, value]) => value);
  const schema = z
    .int()
    .min(Math.min(...values))
    .max(Math.max(...values))
    .default(initial);
  const options = choices.map(([label, value]) => ({ label, value: String(value) }));
  return setting(
    schema,
    basics,
    { kind: 'choice', choices: options },
    {
      toField: String,
      fromField: (entered) => Number(textOf(entered)),
      show: (value) => [labelOf(options, String(value))],
    },
  );
}

interface WordKind {
  pattern: RegExp;
  /** What people type before the word, which is removed. */
  prefix: RegExp;
  example: string;
  separator: string;
  error(word: string): string;
}

export const domainPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const domainWords: WordKind = {
  pattern: domainPattern,
  prefix: /^\*?[@.]/,
  example: 'example.com',
  separator: '\n',
  error: (word) => `“${word}” isn't a valid domain, like example.com.`,
};
const extensionWords: WordKind = {
  pattern: new RegExp(`^[a-z0-9_+-]{1,${bounds.extensionChars}}$`),
  prefix: /^\*?\./,
  example: 'pdf, docx, png',
  separator: ', ',
  error: (word) => `“${word}” isn't a valid file extension, like pdf.`,
};

function words(kind: WordKind, basics: Basics<string[]>, max = Number.POSITIVE_INFINITY) {
  const word = z.string().regex(kind.pattern, { error: ({ input }) => kind.error(String(input).slice(0, 50)) });
  const schema = z.array(word).max(max, `Too many extensions (limit ${max}).`).default([]);
  const input: Input = { kind: 'text', isOptional: true, isLong: true, placeholder: kind.example };
  return setting(schema, basics, input, {
    toField: (value) => value.join(kind.separator),
    fromField: (entered) => [
      ...new Set(
        textOf(entered)
          .toLowerCase()
          .split(/[\s,;]+/)
          .map((typed) => typed.replace(kind.prefix, ''))
          .filter((typed) => typed !== ''),
      ),
    ],
    show: (value) => value,
  });
}

export const domains = (basics: Basics<string[]>) => words(domainWords, basics);
export const extensions = (basics: Basics<string[]>) => words(extensionWords, basics, bounds.extensions);

const ids = { toField: (value: string[]) => value, fromField: listOf };

export const people = ({ max = 1_000, ...basics }: Basics<string[]> & { max?: number }) =>
  setting(
    z.array(z.string()).max(max, `Too many people (limit ${max}).`).default([]),
    basics,
    { kind: 'people' },
    {
      ...ids,
      show: (value) => value.map((user) => ({ user })),
    },
  );

export const channels = (basics: Basics<string[]>) =>
  setting(
    z.array(z.string()).default([]),
    basics,
    { kind: 'channels' },
    {
      ...ids,
      show: (value) => value.map((channel) => ({ channel })),
    },
  );

export const privateChannel = (basics: Basics<string | undefined>) =>
  setting(
    z.string().optional(),
    basics,
    { kind: 'privateChannel' },
    {
      toField: (value) => value ?? '',
      fromField: (entered) => textOf(entered) || undefined,
      show: (value) => (value === undefined ? [] : [{ channel: value }]),
    },
  );

/** Who has a permission: everyone who can use Dropline, only admins, or admins and these people. */
const allowedPeople = z.union([z.literal('everyone'), z.literal('admins'), z.array(z.string())]);
export type AllowedPeople = z.infer<typeof allowedPeople>;

export const permission = (basics: Basics<AllowedPeople>) =>
  setting(
    allowedPeople.default('everyone'),
    basics,
    { kind: 'permission' },
    {
      toField: (value) => value,
      fromField: (entered) => entered,
      show: (value) => (typeof value === 'string' ? [value] : value.map((user) => ({ user }))),
    },
  );
