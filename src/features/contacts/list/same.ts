import { bounds } from '../../../bounds.ts';
import type { Contact } from '../../../exchange/index.ts';

/**
 * A contact's JSON in one normal form: the service can change white space and the order of fields. Numbers keep their
 * digits: as JavaScript numbers, two long ones could become equal.
 */
export function spellingOf(json: string): string {
  // Both become strings, with a first letter that tells them apart and keeps field names from looking like numbers.
  const digitsKept = json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? `"t${token.slice(1)}` : `"n${token}"`,
  );
  return JSON.stringify(inOrder(JSON.parse(digitsKept)));
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, inOrder(member)]));
}

/** Whether both lists hold the same contacts, in any order. */
export function sameContacts(one: readonly Contact[], other: readonly Contact[]): boolean {
  return one.length === other.length && without(one, other).length === 0;
}

/** The `contacts` that aren't in `others`. Duplicates count: both lists must have the same number of them. */
export function without(contacts: readonly Contact[], others: readonly Contact[]): Contact[] {
  const left = tallyOf(others.map(({ json }) => spellingOf(json)));
  return contacts.filter(({ json }) => !left.take(spellingOf(json)));
}

/** A multiset: each key can be taken as often as it occurs. */
export function tallyOf(keys: readonly string[]): { take(key: string): boolean } {
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

/** What identifies a contact: its address, or without one, everything that a person sees of it. */
export function identityOf(contact: Contact): string {
  return contact.email === undefined ? lookOf(contact) : contact.email.toLowerCase();
}

/** What a person sees of a contact. A service can store our strings as numbers, and addresses in lower case. */
export function lookOf({ email, number, language, groups, nick }: Contact): string {
  return JSON.stringify([email?.toLowerCase(), number ?? '', language ?? '', groups, nick ?? '']);
}

/** How messages name a contact. */
export function nameOf({ email, nick }: Contact): string {
  return (email ?? nick ?? 'a contact without an e-mail address').slice(0, bounds.shownNameChars);
}
