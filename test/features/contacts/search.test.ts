import { expect, test } from 'vitest';
import { type Contact, type ContactLists, readContact } from '../../../src/exchange/index.ts';
import { foldText } from '../../../src/features/common/search/search.ts';
import { contactsByAddress, contactsById, groupsOf } from '../../../src/features/contacts/list/ids.ts';
import { rankOf, searchContacts, searchGroups, searchPeople } from '../../../src/features/contacts/list/search.ts';
import { knownRecipients } from '../../../src/features/contacts/list/suggest.ts';
import { fc, runs } from '../../helpers/properties.ts';

const contactOf = (fields: object): Contact => readContact(JSON.stringify(fields));
const listsOf = (local: readonly object[], global: readonly object[] = []): ContactLists => ({
  local: local.map(contactOf),
  global: global.map(contactOf),
});

/** Only a few letters, so that searches find something. Folding turns the last one into 18 characters. */
const word = fc.string({ unit: fc.constantFrom('a', 'B', 'é', 'E', '@', ' ', '한', '\ufdfa'), maxLength: 4 });
const field = fc.option(word, { nil: undefined });
const list = fc.array(
  fc.record({ email: field, nick: field, number: field, groups: fc.array(word, { maxLength: 2 }) }),
);

test('a search finds each contact that contains every word, sorted by address', () => {
  fc.assert(
    fc.property(list, list, fc.array(word, { minLength: 1, maxLength: 3 }), (local, global, queries) => {
      const lists = listsOf(local, global);
      const all = [...lists.local, ...lists.global];
      for (const query of queries) {
        const words = foldText(query).split(/\s+/).filter(Boolean);
        const found = all.filter(({ email, nick, number, groups }) => {
          const text = foldText([email, nick, number, ...groups].join(' '));
          return words.every((one) => text.includes(one));
        });
        const keyOf = ({ email = '' }: Contact) => email.toLowerCase();
        found.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0));
        expect(searchContacts(lists, query)).toEqual(found);
        const selectable = new Set<Contact>(contactsByAddress(lists).values());
        const people = searchPeople(lists, query);
        expect(new Set(people)).toEqual(new Set(found.filter((contact) => selectable.has(contact))));
        const ranks = people.map((contact) => rankOf(contact, query));
        expect(ranks).toEqual(ranks.toSorted());
      }
    }),
    runs(500),
  );
});

test('people rank by how their name or address begins; the domain comes last', () => {
  const lists = listsOf([
    { email: 'helpdesk@dropline.example', groups: [] },
    { email: 'berlin@example.org', groups: [] },
    { email: 'linus@example.org', groups: [] },
    { email: 'x@example.org', nick: 'Olof Lindqvist', groups: [] },
    { email: 'maria.lind@example.org', groups: [] },
  ]);
  const found = (query: string) => searchPeople(lists, query).map(({ email }) => email);
  const people = ['linus@example.org', 'maria.lind@example.org', 'x@example.org'];
  expect(found('lin')).toEqual([...people, 'berlin@example.org', 'helpdesk@dropline.example']);
  expect(found('LIN example')).toEqual([...people, 'berlin@example.org', 'helpdesk@dropline.example'].toSorted());
  expect(found('linus@ex')).toEqual(['linus@example.org']);
});

test("a reloaded contact list doesn't use the old search index", () => {
  const before = listsOf([
    { email: 'anna@example.org', groups: ['a'] },
    { email: 'bo@example.org', groups: ['b'] },
  ]);
  const ids = [...contactsById(before).keys()];
  const seenIn = (lists: ContactLists) => [
    searchContacts(lists, 'example').map(({ email }) => email),
    searchPeople(lists, 'example').map(({ email }) => email),
    searchGroups(lists, ''),
    [...groupsOf(lists).keys()],
    knownRecipients(lists, ids).recipients,
  ];
  const both = ['anna@example.org', 'bo@example.org'];
  for (let time = 0; time < 2; time += 1) {
    expect(seenIn(before)).toEqual([both, both, ['a', 'b'], ['a', 'b'], both]);
  }
  // The same contact objects in a new list, as after an edit.
  const after = { ...before, local: before.local.slice(1) };
  const one = ['bo@example.org'];
  expect(seenIn(after)).toEqual([one, one, ['b'], ['b'], one]);
});

test('groups are found by name, except those with a blank name', () => {
  const lists = listsOf([{ groups: ['Été', 'b', ' ', 'a'] }], [{ groups: ['B', 'a', '\n'] }]);
  expect(searchGroups(lists, '')).toEqual(['a', 'b', 'B', 'Été']);
  expect(searchGroups(lists, 'ete')).toEqual(['Été']);
  expect(searchGroups(lists, 'a b')).toEqual([]);
});
