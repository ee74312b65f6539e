import { z } from 'zod';
import { type ContactFields, contactShape } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { createFieldErrors } from '../../../lib/errors.ts';
import { invalidField } from './errors.ts';

/** What people call each field. */
export const fieldNames: Record<keyof ContactFields, string> = {
  email: 'email',
  number: 'mobile number',
  language: 'language',
  groups: 'groups',
  nick: 'name',
};

const acceptedFields = z.object(contactShape(z.string().optional(), z.array(z.string()).optional()));

/** Fields in the form that the service accepts: only `parseFields` makes them. */
export const parsedFields = acceptedFields.brand<'parsed'>();
export type ParsedFields = z.infer<typeof parsedFields>;

/** A contact in the form that the service accepts: only `parseContact` makes one. */
export const newContact = acceptedFields.extend({ email: z.string() }).brand<'parsed'>();
export type NewContact = z.infer<typeof newContact>;

/** A contact's form as typed. It is stored, so that the person can reopen the form if saving fails. */
export const typedContact = z.object({
  ...contactShape(z.string().default(''), z.string().default('')),
  /** Names of existing groups; `groups` has the new ones, as typed. */
  knownGroups: z.array(z.string()).default([]),
});
export type TypedContact = z.infer<typeof typedContact>;

const { email: emailChars, language: languageChars, nick: nickChars } = bounds.contactChars;
const groupChars = 100;

type Typed = Partial<Record<keyof ContactFields, unknown>>;

/** Converts typed text to what the service accepts. Throws one error for all invalid fields. */
export function parseContact(typed: Typed): NewContact {
  const errors = createFieldErrors();
  if (textOf(typed.email) === '') errors.add(invalidField('email', 'Enter an email address.'));
  const fields = errors.check(() => parseFields(typed));
  errors.throwIfAny();
  return fields as NewContact;
}

/** Like `parseContact`, for edits: every field is optional. */
export function parseFields(typed: Typed): ParsedFields {
  const errors = createFieldErrors();
  const fields: ContactFields = {};
  const parse = <Name extends keyof ContactFields>(name: Name) => {
    const value = errors.check(() => parsers[name](typed[name]));
    if (value !== undefined) fields[name] = value;
  };
  for (const name of Object.keys(parsers) as (keyof ContactFields)[]) parse(name);
  errors.throwIfAny();
  return fields as ParsedFields;
}

type Parser<Name extends keyof ContactFields> = (typed: unknown) => ContactFields[Name] | undefined;

/** Parses each field. Returns undefined if the field wasn't given, and for an empty address. */
const parsers: { [Name in keyof Required<ContactFields>]: Parser<Name> } = {
  email: (typed) => (textOf(typed) === '' ? undefined : parseEmail(textOf(typed))),
  number: (typed) => (typed === undefined ? undefined : parseNumber(textOf(typed))),
  language: (typed) => (typed === undefined ? undefined : parseLanguage(textOf(typed))),
  nick: (typed) => (typed === undefined ? undefined : parseText('nick', textOf(typed), nickChars)),
  groups: (typed) => (Array.isArray(typed) ? parseGroups(typed.map(textOf)) : undefined),
};

export function parseEmail(text: string): string {
  const email = expectSendable('email', text.trim());
  if (
    email.length > emailChars ||
    !/^[^\s@<>()[\]\\,;:"|]+@[^\s@<>()[\]\\,;:"|]+\.[^\s@<>()[\]\\,;:"|.]+$/u.test(email)
  ) {
    throw invalidField('email', 'Enter a valid email address, like anna@example.com.');
  }
  return email;
}

/**
 * The service accepts only digits; people also type a plus, spaces and, after the country code, a (0) that is dialled
 * only without it.
 */
function parseNumber(text: string): string {
  const digits = text.replace(/(\d[\s().\-/]*)\(\s*0\s*\)/, '$1').replace(/[\s().\-/+]/g, '');
  if (digits === '') return '';
  if (!/^\d{5,20}$/.test(digits)) throw invalidField('number', 'Enter 5 to 20 digits, like 46701234567.');
  if (digits.startsWith('0')) throw invalidField('number', 'Start with the country code, like 46.');
  return digits;
}

/** Checks only the format, because the API doesn't document which codes a service accepts. */
function parseLanguage(text: string): string {
  const code = parseText('language', text, languageChars);
  if (code !== '' && !/^[a-z]{2,3}([-_][a-z0-9]{1,8})*$/i.test(code)) {
    throw invalidField('language', 'Enter a language code, like en or sv.');
  }
  return code;
}

function parseGroups(groups: string[]): string[] {
  const tooLong = groups.find((group) => group.length > groupChars);
  if (tooLong !== undefined) {
    throw invalidField('groups', `“${tooLong}” is longer than ${groupChars} characters.`);
  }
  const names = groups.map((group) => expectSendable('groups', group)).filter((group) => group !== '');
  return [...new Set(names)];
}

export function parseGroupName(typed: string): string {
  const [name] = parseGroups([textOf(typed)]);
  if (name === undefined) throw invalidField('group', 'Enter a group name.');
  return name;
}

function parseText(field: string, text: string, maxLength: number): string {
  if (text.length > maxLength) throw invalidField(field, `Enter at most ${maxLength} characters.`);
  return expectSendable(field, text);
}

function expectSendable(field: string, text: string): string {
  if (/\p{Cc}/u.test(text) || !text.isWellFormed())
    throw invalidField(field, "This contains characters that can't be sent.");
  return text;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.normalize('NFC').trim() : '';
}
