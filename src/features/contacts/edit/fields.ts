import { z } from 'zod';
import { bounds } from '../../../bounds.ts';
import { createFieldErrors } from '../../../errors.ts';
import { type ContactFields, contactShape } from '../../../exchange/index.ts';
import { invalidField } from '../errors.ts';

export type NewContact = ContactFields & { email: string };

/** What people call each field. */
export const fieldNames: Record<keyof ContactFields, string> = {
  email: 'email',
  number: 'mobile number',
  language: 'language',
  groups: 'groups',
  nick: 'name',
};

/** Fields of a stored edit or import. */
export const contactFields = z.object(contactShape(z.string().optional(), z.array(z.string()).optional()));
export const newContact = contactFields.extend({ email: z.string() });

/** A contact's form as typed. It is stored, so that the person can reopen the form if saving fails. */
export const typedContact = z.object({
  ...contactShape(z.string().default(''), z.string().default('')),
  /** Names of existing groups; `groups` has the new ones, as typed. */
  knownGroups: z.array(z.string()).default([]),
});
export type TypedContact = z.infer<typeof typedContact>;

const { email: emailChars, language: languageChars, nick: nickChars } = bounds.contactChars;
const groupChars = 100;

/** Converts typed text to what the service accepts. Throws one error for all invalid fields. */
export function parseContact(typed: Record<keyof NewContact, unknown> | ContactFields): NewContact {
  const errors = createFieldErrors();
  if (textOf(typed.email) === '') errors.add(invalidField('email', 'Enter an email address.'));
  const { email = '', ...fields } = errors.check(() => parseFields(typed)) ?? {};
  errors.throwIfAny();
  return { email, ...fields };
}

/** Like `parseContact`, for edits: every field is optional. */
export function parseFields(typed: Partial<Record<keyof NewContact, unknown>>): ContactFields {
  const errors = createFieldErrors();
  const fields: ContactFields = {};
  const parse = <Name extends keyof ContactFields>(name: Name) => {
    const value = errors.check(() => parsers[name](typed[name]));
    if (value !== undefined) fields[name] = value;
  };
  for (const name of Object.keys(parsers) as (keyof ContactFields)[]) parse(name);
  errors.throwIfAny();
  return fields;
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

/** A `Change`, as it is stored. */
export const changeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add'), contacts: z.array(newContact) }),
  z.object({ kind: z.literal('edit'), email: z.string(), fields: contactFields }),
  z.object({ kind: z.literal('remove'), emails: z.array(z.string()) }),
  z.object({ kind: z.literal('import'), contacts: z.array(newContact) }),
  z.object({ kind: z.literal('group'), group: z.string(), join: z.array(z.string()), leave: z.array(z.string()) }),
]);

/** Where a person made an edit, so that its outcome is shown there, and what they typed. */
export const originSchema = z.object({
  /** The modal that will show the outcome. */
  view: z.string().optional(),
  /** The person's position in the contacts. */
  position: z.string(),
  /** What the edit changes, in a few words, for the direct message with the outcome. */
  about: z.string(),
  /** The contents of the form, to reopen it if the edit fails. */
  typed: typedContact.optional(),
});
export type EditOrigin = z.infer<typeof originSchema>;

/** An `EditOutcome`, as it is stored. */
export const outcomeSchema = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('done'),
    added: z.number(),
    updated: z.number(),
    removed: z.number(),
    restored: z.array(z.string()),
  }),
  z.object({ state: z.literal('failed'), code: z.string(), message: z.string(), names: z.array(z.string()) }),
]);
