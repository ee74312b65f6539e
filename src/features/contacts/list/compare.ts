import { type Contact, type ContactFields, contactFieldNames } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { truncate } from '../../../lib/truncate.ts';
import { firstOf } from '../../../store/index.ts';
import { fieldNames } from './fields.ts';

/**
 * A contact's JSON in a normal form, because the service can change white space and the order of fields. Numbers keep
 * their digits: two long numbers can be equal as JavaScript numbers.
 */
export function normalizedJson(json: string): string {
  // Turns numbers into strings. A prefix distinguishes strings ("t") from numbers ("n"), and keeps field names from
  // looking like numbers.
  const tagged = json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? `"t${token.slice(1)}` : `"n${token}"`,
  );
  return JSON.stringify(sortKeys(JSON.parse(tagged)));
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sortKeys(member)]));
}

/** Whether both lists hold the same contacts, in any order. */
export function sameContacts(contacts: readonly Contact[], others: readonly Contact[]): boolean {
  return contacts.length === others.length && without(contacts, others).length === 0;
}

/** The `contacts` that aren't in `others`. If `others` has fewer copies of a contact, the extra copies are returned. */
export function without(contacts: readonly Contact[], others: readonly Contact[]): Contact[] {
  const remaining = createMultiset(others.map(({ json }) => normalizedJson(json)));
  return contacts.filter(({ json }) => !remaining.take(normalizedJson(json)));
}

/** Each key can be taken as often as it occurs. */
export function createMultiset(keys: readonly string[]): { take(key: string): boolean } {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    take(key) {
      const count = counts.get(key) ?? 0;
      if (count > 0) counts.set(key, count - 1);
      return count > 0;
    },
  };
}

/** What identifies a contact: its address, or all visible fields if it has no address. */
export function identityOf(contact: Contact): string {
  return contact.email === undefined ? visibleFieldsOf(contact) : contact.email.toLowerCase();
}

/**
 * The fields that people see, for comparison. The service can store strings as numbers and addresses in lower case:
 * that isn't a difference here.
 */
export function visibleFieldsOf(contact: Contact): string {
  return JSON.stringify(
    contactFieldNames.map((name) => (name === 'email' ? contact.email?.toLowerCase() : (contact[name] ?? ''))),
  );
}

/** A field that differs between two versions of a contact. An absent field is empty. */
export interface FieldChange {
  field: keyof ContactFields;
  from: string;
  to: string;
}

/** The fields that an edit changed. `from` is undefined for a new contact, `to` for a removed one. */
export function changedFields({ from, to }: ContactChange): FieldChange[] {
  const textOf = (contact: Contact | undefined, field: keyof ContactFields) =>
    field === 'groups' ? (contact?.groups ?? []).join(', ') : (contact?.[field] ?? '');
  return contactFieldNames
    .map((field) => ({ field, from: textOf(from, field), to: textOf(to, field) }))
    .filter((change) => change.from !== change.to);
}

export interface ContactChange {
  from: Contact | undefined;
  to: Contact | undefined;
}

/** Pairs the contacts before and after an edit by address. If there is one of each, its address was edited. */
export function pairContacts(before: readonly Contact[], after: readonly Contact[]): ContactChange[] {
  if (before.length === 1 && after.length === 1) return [{ from: before[0], to: after[0] }];
  const oldVersions = new Map<string, Contact[]>();
  for (const contact of before) {
    const identity = identityOf(contact);
    oldVersions.set(identity, [...(oldVersions.get(identity) ?? []), contact]);
  }
  const pairs = after.map((to) => ({ from: oldVersions.get(identityOf(to))?.shift(), to }));
  return [...pairs, ...[...oldVersions.values()].flat().map((from) => ({ from, to: undefined }))];
}

/** Changes of a mobile number first: codes are sent to it, so a replaced one must not be left out of a long list. */
export function numbersFirst<Change extends ContactChange>(changes: readonly Change[]): Change[] {
  const isReplaced = ({ from, to }: Change) => (from?.number ?? '') !== '' && from?.number !== to?.number;
  return [...changes].sort((one, other) => Number(isReplaced(other)) - Number(isReplaced(one)));
}

/** A contact's name in messages. */
export function nameOf({ email, nick }: Contact): string {
  return (email ?? nick ?? 'a contact without an email address').slice(0, bounds.shownNameChars);
}

/** Contacts in an audit entry. An import can have thousands. */
export const maxAudited = 50;

/** Old and new values for the audit entry, like `anna@example.com: mobile number “46701” → “46702”`. */
export function changeTexts({ before, after }: { before: readonly Contact[]; after: readonly Contact[] }) {
  const quoted = (value: string) => (value === '' ? 'not set' : `“${truncate(value, 100)}”`);
  const changes = numbersFirst(pairContacts(before, after));
  const texts = changes.map((change) => {
    const name = nameOf((change.from ?? change.to) as Contact);
    const fields = changedFields(change).filter(
      ({ field, from, to }) => field !== 'email' || (from !== '' && to !== ''),
    );
    const fieldTexts = fields.map(({ field, from, to }) => `${fieldNames[field]} ${quoted(from)} → ${quoted(to)}`);
    return fieldTexts.length === 0 ? name : `${name}: ${fieldTexts.join(', ')}`;
  });
  return firstOf(texts, maxAudited);
}
