import { expect, test } from 'vitest';
import { readContact } from '../../../src/exchange/index.ts';
import { changesOf, parseCommandWords, typedOf } from '../../../src/features/contacts/edit/form.ts';
import { knownRecipients, presetOptions, recipientOption } from '../../../src/features/contacts/list/suggest.ts';

test("saving an unedited form changes no field, even if it can't show all values", () => {
  const groups = [...Array.from({ length: 150 }, (_, number) => `group ${number}`), ' ', 'a', 'a', 'with, comma'];
  const odd = readContact(
    JSON.stringify({
      email: 'a@b.c',
      number: '+46 (0)70',
      nick: `two\nlines ${'x'.repeat(200)}`,
      groups,
      language: '',
    }),
  );
  const typedContact = typedOf(odd);
  const asSubmitted = { ...typedContact, nick: `${typedContact.nick.replace('\n', ' ').slice(0, 99)}…` };
  expect(changesOf(odd, asSubmitted, false)).toEqual({});
});

test("a form sends only changed fields and keeps groups that it didn't show", () => {
  const groups = Array.from({ length: 102 }, (_, number) => `group ${number}`);
  const contact = readContact(JSON.stringify({ email: 'a@b.c', number: '+46 (0)70', groups }));
  const typed = { ...typedOf(contact), nick: 'Anna', knownGroups: ['group 0'], groups: 'new, , other ' };
  expect(changesOf(contact, typed, false)).toEqual({
    nick: 'Anna',
    groups: ['group 100', 'group 101', 'group 0', 'new', 'other'],
  });
  expect(Object.keys(changesOf(contact, typed, true))).toEqual(['groups']);
});

test.each([
  [['a@b.c'], { email: 'a@b.c', number: '', nick: '' }],
  [['a@b.c', '+46701234567'], { number: '+46701234567', nick: '' }],
  [['a@b.c', '+46', '70', '123', 'Anna', 'of', 'Acme'], { number: '+46 70 123', nick: 'Anna of Acme' }],
  [['a@b.c', 'Anna', '7'], { number: '', nick: 'Anna 7' }],
  [[], { email: '', number: '', nick: '' }],
])('/drop contacts add parses the words %j into fields', (words, fields) => {
  expect(parseCommandWords(words)).toMatchObject(fields);
});

test('the values of menu options identify recipients without containing addresses', () => {
  const contact = (email: string) =>
    readContact(JSON.stringify({ email, nick: 'boss@bank.example', groups: ['g, 1'] }));
  const lists = {
    local: [contact('Anna@example.org')],
    global: [contact('anna@example.org'), contact('bo@example.org')],
  };
  const chosen = { recipients: ['anna@EXAMPLE.org', 'bo@example.org'], groups: ['g, 1'] };
  const { options, gone } = presetOptions(lists, { ...chosen, groups: ['g, 1', 'g'] });
  expect(gone).toEqual(['g']);
  expect(options.map(({ text }) => text.text)).toEqual([
    'Anna@example.org (boss@bank.example)',
    'bo@example.org (boss@bank.example)',
    'g, 1',
  ]);
  const values = options.map(({ value }) => value ?? '');
  expect(values.filter((value) => value.includes('@') || value.length > 75)).toEqual([]);
  expect(knownRecipients(lists, values)).toEqual({
    recipients: ['Anna@example.org', 'bo@example.org'],
    groups: ['g, 1'],
  });
  expect(knownRecipients({ local: [], global: [] }, values)).toEqual({ recipients: [], groups: [] });
});

test('a long address is shortened in the middle; the end of its domain stays visible', () => {
  const email = `anna@example.org.${'x'.repeat(150)}.evil.example`;
  expect(recipientOption({ ...readContact(JSON.stringify({ email })), email }).text.text).toMatch(
    /^anna@.*…x*\.evil\.example$/,
  );
});
