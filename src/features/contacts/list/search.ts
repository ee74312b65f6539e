import type { Contact } from '../../../exchange/index.ts';
import { oneLine } from '../../../slack/words.ts';

/** The contacts that match every word of the query, sorted by address. An empty query matches all. */
export function searchContacts<T extends Contact>(contacts: readonly T[], query: string): T[] {
  return contacts.filter(matches(query, searchedIn)).sort(byAddress);
}

/** The same for groups. Leaves out groups whose name is blank. */
export function searchGroups(names: readonly string[], query: string): string[] {
  const named = names.filter((name) => oneLine(name) !== '');
  return named.filter(matches(query, (name) => name)).sort((one, other) => one.localeCompare(other));
}

function matches<T>(query: string, textOf: (thing: T) => string): (thing: T) => boolean {
  const words = plain(query).split(/\s+/).filter(Boolean);
  return (thing) => {
    if (words.length === 0) return true;
    const text = plain(textOf(thing));
    return words.every((word) => text.includes(word));
  };
}

const searchedIn = ({ email, nick, number, groups }: Contact) => [email, nick, number, ...groups].join(' ');

/** Without case and accents: a search for Jose finds José. */
function plain(text: string): string {
  const lower = text.toLowerCase();
  return /[^\x20-\x7e]/.test(lower) ? lower.normalize('NFKD').replace(/\p{M}/gu, '') : lower;
}

// Compares code units, a hundred times faster than localeCompare: lists have thousands of contacts.
function byAddress({ email: one = '' }: Contact, { email: other = '' }: Contact): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
}
