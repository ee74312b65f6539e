import { z } from 'zod';
import { bounds } from '../../../lib/bounds.ts';
import { isChannel, mention, type Weakens } from './phrases.ts';

/** What an entry of the table says about its setting. */
interface Entry<T> {
  /** Settings of the workspace stay when another account is connected. */
  owner?: 'workspace';
  label: string;
  hint?: string;
  /** Its name in the audit, in error messages and in the manual, if that isn't the label. */
  title?: string;
  /** What an empty value means. */
  none?: string;
  /** What emptying it turns off or removes. This has to be confirmed, because Slack can lose a value. */
  turnsOff?: string;
  removes?: string;
  weakens: Weakens<T>;
}

export interface Choice {
  value: string;
  label: string;
  description?: string;
}

/** The kind of form field. */
type Input =
  | { kind: 'choice' | 'checks'; choices: readonly Choice[] }
  | { kind: 'text'; isLong?: boolean; isOptional?: boolean; maxLength?: number; placeholder?: string }
  | { kind: 'people' | 'channels' | 'permission' };

/** What a field of a form has: the text or the chosen value, or a list of ids or values. */
export type FieldValue = string | readonly string[];

/** A part of a value as the audit records it: ids and sizes as such, all else in words. */
export type ShownValue = string | { user: string } | { channel: string } | { bytes: number };

interface Conversions<T> {
  toField(value: T): FieldValue;
  /** The schema checks the result. */
  fromField(entered: FieldValue): unknown;
  show(value: T): ShownValue[];
}

/** One simple setting. Its stored format, form field, audit texts, notices and line in the manual come from this. */
export interface Setting<T = unknown> extends Entry<T>, Conversions<T> {
  title: string;
  schema: z.ZodType<T>;
  input: Input;
  weakens(before: T, after: T): ReturnType<Weakens<T>>;
}

const define = <S extends z.ZodType>(
  schema: S,
  input: Input,
  { toField, fromField, show }: Conversions<z.output<S>>,
  entry: Entry<z.output<S>>,
) => ({ ...entry, title: entry.title ?? entry.label, schema, input, toField, fromField, show });

const textOf = (entered: FieldValue): string => (typeof entered === 'string' ? entered : '');
const listOf = (entered: FieldValue): string[] => (typeof entered === 'string' ? [] : [...entered]);

/** The label of each value, with an explanation where one is needed. */
type Choices<V extends string | number> = Record<V, string | readonly [label: string, description: string]>;

const choicesOf = (choices: Choices<string>): Choice[] =>
  Object.entries(choices).map(([value, text]) => {
    const [label, description] = typeof text === 'string' ? [text] : text;
    return { value, label: label ?? '', description };
  });

/** The label of a value within a text. */
function labelIn(choices: readonly Choice[], value: string): string {
  const { label } = choices.find((choice) => choice.value === value) ?? { label: value };
  return label.startsWith("I'") ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

type Chosen<T> = Entry<NoInfer<T>> & { initial: NoInfer<T> };

function oneOf<S extends z.ZodType<string | number | boolean>>(
  schema: S,
  choices: readonly Choice[],
  toValue: (chosen: string) => unknown,
  entry: Entry<z.output<S>>,
) {
  const fromField = (entered: FieldValue) => toValue(textOf(entered));
  const show = (value: z.output<S>) => [labelIn(choices, String(value))];
  return define(schema, { kind: 'choice', choices }, { toField: String, fromField, show }, entry);
}

export function choice<V extends string>({ choices, initial, ...entry }: Chosen<V> & { choices: Choices<V> }) {
  const schema: z.ZodType<V> = z.enum(Object.keys(choices) as V[]);
  return oneOf(schema.default(initial as never), choicesOf(choices), (chosen) => chosen, entry);
}

export function numberChoice({ choices, initial, ...entry }: Chosen<number> & { choices: Choices<number> }) {
  const values = Object.keys(choices).map(Number);
  const schema = z
    .int()
    .min(Math.min(...values))
    .max(Math.max(...values));
  return oneOf(schema.default(initial), choicesOf(choices), Number, entry);
}

/** Off at first. */
export function toggle({ choices, ...entry }: Entry<boolean> & { choices: Choices<'false' | 'true'> }) {
  return oneOf(z.boolean().default(false), choicesOf(choices), (chosen) => chosen === 'true', entry);
}

/** Any of a few choices. */
export function checks<V extends string>({ choices, ...entry }: Entry<NoInfer<V>[]> & { choices: Choices<V> }) {
  const value: z.ZodType<V> = z.enum(Object.keys(choices) as V[]);
  const options = choicesOf(choices);
  const show = (values: V[]) => values.map((one) => labelIn(options, one));
  return define(
    z.array(value).default([]),
    { kind: 'checks', choices: options },
    { toField: (values) => values, fromField: listOf, show },
    entry,
  );
}

export const wholeNumberText = 'Enter a whole number of 1 or more.';
const wholeNumber = (max = 999_999_999) => z.int(wholeNumberText).min(1, wholeNumberText).max(max, wholeNumberText);

function typedNumber(entered: FieldValue): number | undefined {
  const text = textOf(entered);
  if (text === '') return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

/** A number that is always set. */
export function number({ initial, schema = wholeNumber(), ...entry }: Chosen<number> & { schema?: z.ZodNumber }) {
  // An empty field isn't the default.
  const fromField = (entered: FieldValue) => typedNumber(entered) ?? Number.NaN;
  const show = (value: number) => [String(value)];
  return define(schema.default(initial), { kind: 'text', maxLength: 10 }, { toField: String, fromField, show }, entry);
}

const maximum = (max: number | undefined, show: (value: number) => ShownValue, entry: Entry<number | undefined>) =>
  define(
    wholeNumber(max).optional(),
    { kind: 'text', isOptional: true, maxLength: 10, placeholder: 'No limit' },
    {
      toField: (value) => (value === undefined ? '' : String(value)),
      fromField: typedNumber,
      show: (value) => (value === undefined ? [] : [show(value)]),
    },
    { none: 'no limit', ...entry },
  );

/** A maximum; undefined for none. */
export const limit = (entry: Entry<number | undefined>) => maximum(undefined, String, entry);
export const sizeLimit = (entry: Entry<number | undefined>) =>
  maximum(1_000_000, (megabytes) => ({ bytes: megabytes * 1_000_000 }), entry);

export const text = ({ maxLength, ...entry }: Entry<string> & { maxLength: number }) =>
  define(
    z.string().max(maxLength).default(''),
    { kind: 'text', isOptional: true, isLong: true, maxLength },
    { toField: (value) => value, fromField: textOf, show: (value) => (value === '' ? [] : [value]) },
    entry,
  );

export const domainPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const extensionPattern = new RegExp(`^[a-z0-9_+-]{1,${bounds.extensionChars}}$`);

/** The words of a text, in lower case and without what people type before a domain or an extension. */
export const wordsIn = (typed: string): string[] => {
  const words = typed.toLowerCase().split(/[\s,;]+/);
  return [...new Set(words.map((word) => word.replace(/^\*?[@.]/, '')).filter((word) => word !== ''))];
};

function words(pattern: RegExp, what: string, placeholder: string, entry: Entry<string[]>, max?: number) {
  const error = ({ input }: { input?: unknown }) => `“${String(input).slice(0, 50)}” isn't a valid ${what}`;
  const schema = z.array(z.string().regex(pattern, { error })).max(max ?? Infinity, `Too many (limit ${max}).`);
  return define(
    schema.default([]),
    { kind: 'text', isOptional: true, placeholder },
    { toField: (value) => value.join(', '), fromField: (entered) => wordsIn(textOf(entered)), show: (value) => value },
    entry,
  );
}

export const domains = (entry: Entry<string[]>) =>
  words(domainPattern, 'domain, like example.com.', 'example.com', entry);
export const extensions = (entry: Entry<string[]>) =>
  words(extensionPattern, 'file extension, like pdf.', 'pdf, docx, png', entry, bounds.extensions);

const ids = { toField: (value: string[]) => value, fromField: listOf };

const hasFewChannels = (value: string | readonly string[]) =>
  typeof value === 'string' || value.filter(isChannel).length <= bounds.namedChannels;
const tooManyChannels = { error: `Too many channels (limit ${bounds.namedChannels}).`, path: ['channels'] };

/** People, and private channels whose members count as named. */
export const people = ({ max = 1_000, ...entry }: Entry<string[]> & { max?: number }) =>
  define(
    z.array(z.string()).max(max, `Too many people (limit ${max}).`).refine(hasFewChannels, tooManyChannels).default([]),
    { kind: 'people' },
    { ...ids, show: (value) => value.map(mention) },
    entry,
  );

export const channels = (entry: Entry<string[]>) =>
  define(
    z.array(z.string()).default([]),
    { kind: 'channels' },
    { ...ids, show: (value) => value.map((channel) => ({ channel })) },
    entry,
  );

/** Who has a permission: everyone who can use Dropline, only admins, or admins and these people and channels. */
const allowedPeople = z
  .union([z.literal('everyone'), z.literal('admins'), z.array(z.string())])
  .refine(hasFewChannels, tooManyChannels);
export type AllowedPeople = z.infer<typeof allowedPeople>;

export const permission = (entry: Entry<AllowedPeople>) =>
  define(
    allowedPeople.default('everyone'),
    { kind: 'permission' },
    {
      toField: (value) => value,
      fromField: (entered) => entered,
      show: (value) => (typeof value === 'string' ? [value] : value.map(mention)),
    },
    entry,
  );
