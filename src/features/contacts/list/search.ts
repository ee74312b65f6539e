import type { Contact } from '../../../exchange/index.ts';
import { oneLine } from '../../../slack/words.ts';
import { foldText, wordsIn } from '../../common/search/search.ts';

/** The contacts that match every word of the query, sorted by address. An empty query matches all. */
export function searchContacts<T extends Contact>(contacts: readonly T[], query: string): T[] {
  return filterContacts(contacts, query).sort(byAddress);
}

/** Like `searchContacts`, in the given order. */
export function filterContacts<T extends Contact>(contacts: readonly T[], query: string): T[] {
  return contacts.filter(matches(query, searchTextOf));
}

/** The groups that match every word of the query, sorted by name. Leaves out groups with a blank name. */
export function searchGroups(names: readonly string[], query: string): string[] {
  const named = names.filter((name) => oneLine(name) !== '');
  return named.filter(matches(query, (name) => name)).sort((one, other) => one.localeCompare(other));
}

function matches<T>(query: string, textOf: (item: T) => string): (item: T) => boolean {
  const words = wordsIn(query);
  return (item) => {
    if (words.length === 0) return true;
    const text = foldText(textOf(item));
    return words.every((word) => text.includes(word));
  };
}

const searchTextOf = ({ email, nick, number, groups }: Contact) => [email, nick, number, ...groups].join(' ');

// Lists have thousands of contacts, and comparing code units is a hundred times faster than localeCompare.
function byAddress({ email: one = '' }: Contact, { email: other = '' }: Contact): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
}
