import { bounds } from '../../bounds.ts';
import type { Contact } from '../../exchange/index.ts';

/**
 * A contact's text in one spelling: the service may write spaces and the order of fields as it likes. Numbers stay the
 * digits that they are: read as JavaScript's, two long ones could look the same.
 */
export function spellingOf(json: string): string {
  // Both become texts, told apart by their first letter, which also keeps a field's name from looking like a number.
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

/** Whether both lists hold the same contacts, in whatever order. */
export function sameContacts(one: readonly Contact[], other: readonly Contact[]): boolean {
  return one.length === other.length && without(one, other).length === 0;
}

/** What is in `contacts` and not in `others`; what is there twice must be twice in both. */
export function without(contacts: readonly Contact[], others: readonly Contact[]): Contact[] {
  const left = tallyOf(others.map(({ json }) => spellingOf(json)));
  return contacts.filter(({ json }) => !left.take(spellingOf(json)));
}

/** Counts what is there; each can be taken as often as it was there. */
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

/** By what a contact is told from others: its address, or, of one without, all that a person sees of it. */
export function identityOf(contact: Contact): string {
  return contact.email === undefined ? lookOf(contact) : contact.email.toLowerCase();
}

/** What a person sees of it: a service may write a number where we wrote text, and addresses in small letters. */
export function lookOf({ email, number, language, groups, nick }: Contact): string {
  return JSON.stringify([email?.toLowerCase(), number ?? '', language ?? '', groups, nick ?? '']);
}

/** What people are told it is. */
export function nameOf({ email, nick }: Contact): string {
  return (email ?? nick ?? 'a contact without an e-mail address').slice(0, bounds.shownNameChars);
}
