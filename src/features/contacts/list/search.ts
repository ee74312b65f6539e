import type { Contact, ContactLists } from '../../../exchange/index.ts';
import { memoize } from '../../../lib/cache.ts';
import { oneLine } from '../../../slack/words.ts';
import { foldText, wordsIn } from '../../common/search/search.ts';
import { type ContactWithEmail, contactsByAddress, groupsOf, hasEmail } from './ids.ts';

/** The contacts of both lists that match every word of the query, sorted by address. An empty query matches all. */
export function searchContacts(lists: ContactLists, query: string): readonly Contact[] {
  const contacts = sortedContacts(lists);
  const words = wordsIn(query);
  if (words.length === 0) return contacts;
  const texts = foldedTexts(lists);
  return contacts.filter((contact, index) => hasWords(texts[index] ?? foldedText(contact), words));
}

/**
 * Like `searchContacts`, but only contacts with an address, and only one per address. Those whose name or address begins
 * like the query come first, those that only have it in their domain last: the first one is chosen with Enter.
 */
export function searchPeople(lists: ContactLists, query: string): ContactWithEmail[] {
  const people = contactsByAddress(lists);
  const found = searchContacts(lists, query)
    .filter(hasEmail)
    .filter((contact) => people.get(contact.email.toLowerCase()) === contact);
  if (wordsIn(query).length === 0) return found;
  const ranked: ContactWithEmail[][] = [[], [], []];
  for (const contact of found) ranked[rankOf(contact, query)]?.push(contact);
  return ranked.flat();
}

/** 0: a word of the name or address begins like each word of the query. 2: a word of it is only in the domain. */
export function rankOf({ email = '', nick = '', number = '', groups }: Contact, query: string): 0 | 1 | 2 {
  const [address, at] = [foldText(email), email.lastIndexOf('@')];
  const others = [nick, number, ...groups].map(foldText);
  const textsFor = (word: string) => [word.includes('@') || at < 0 ? address : address.slice(0, at), ...others];
  const begins = (word: string) => textsFor(word).some((text) => text.startsWith(word) || hasBeginning(text, word));
  const words = wordsIn(query);
  if (words.every(begins)) return 0;
  return words.every((word) => textsFor(word).some((text) => text.includes(word))) ? 1 : 2;
}

const hasBeginning = (text: string, word: string) =>
  [' ', '.', '-', '_'].some((separator) => text.includes(`${separator}${word}`));

/**
 * The contacts that match every word of the query, in the given order. Not for long lists: texts are folded each time.
 */
export function filterContacts<T extends Contact>(contacts: readonly T[], query: string): T[] {
  const words = wordsIn(query);
  return contacts.filter((contact) => hasWords(foldedText(contact), words));
}

/** The groups that match every word of the query, sorted by name. Leaves out groups with a blank name. */
export function searchGroups(lists: ContactLists, query: string): string[] {
  const words = wordsIn(query);
  return sortedGroups(lists).filter((name) => hasWords(foldText(name), words));
}

/** Sorted by address. Compares code units, which is a hundred times faster than localeCompare. */
export function sortContacts(contacts: readonly Contact[]): Contact[] {
  return contacts
    .map((contact) => ({ contact, key: contact.email?.toLowerCase() ?? '' }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ contact }) => contact);
}

const sortedContacts = memoize(({ local, global }: ContactLists): readonly Contact[] =>
  sortContacts([...local, ...global]),
);

/** The folded text of each sorted contact; undefined for one that would take too much memory. */
const foldedTexts = memoize((lists: ContactLists) =>
  sortedContacts(lists).map((contact) => {
    const text = foldedText(contact);
    // A folded character can be 18 times as long as the original.
    return text.length <= contact.json.length ? text : undefined;
  }),
);

const sortedGroups = memoize((lists: ContactLists): readonly string[] =>
  [...groupsOf(lists).keys()].filter((name) => oneLine(name) !== '').sort(new Intl.Collator().compare),
);

function foldedText({ email, nick, number, groups }: Contact): string {
  return foldText([email, nick, number, ...groups].join(' '));
}

const hasWords = (text: string, words: readonly string[]) => words.every((word) => text.includes(word));
