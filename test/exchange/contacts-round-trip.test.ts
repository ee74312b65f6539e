import { expect, test } from 'vitest';
import { editContact, makeContact } from '../../src/exchange/index.ts';
import { failureOf, setUp } from '../helpers/exchange.ts';

const odd = {
  email: 'odd@example.org',
  number: 46701234567,
  groups: null,
  nick: 'Ödd "one"',
  since: { year: 1999, tags: [1.5, true, null] },
};

test('a contact with unusual fields is unchanged after 100 edits of another contact', async () => {
  const { exchange, account } = await setUp();
  account.contacts.local.push({ email: 'first@example.org' }, structuredClone(odd), {
    email: 'last@example.org',
    x: 1,
  });
  for (let round = 0; round < 100; round += 1) {
    const { local } = await exchange.readContacts();
    const edited = local.map((contact) =>
      contact.email === 'first@example.org' ? editContact(contact, { nick: `Round ${round}` }) : contact,
    );
    await exchange.replaceContacts(edited);
  }
  expect(account.contacts.local).toEqual([
    { email: 'first@example.org', nick: 'Round 99' },
    odd,
    { email: 'last@example.org', x: 1 },
  ]);
});

test('a contact keeps the exact JSON text that was read', async () => {
  const { exchange, server } = await setUp();
  // Parsing and serialising this text would lose the number's last digits and the escapes.
  const text = '{"email":"odd@example.org", "number":467012345678901234567,"nick":"\\u00e5\\/","e":1.50}';
  server.addFault({
    operation: 'contacts_read',
    kind: 'answer',
    answer: { headers: { 'content-type': 'application/json' }, body: `{"local":[${text}],"global":[]}` },
  });
  const { local } = await exchange.readContacts();
  expect(local[0]?.json).toBe(text);
  expect(local[0]?.nick).toBe('å/');
});

test('an edited contact keeps its unknown fields', () => {
  const contact = { ...makeContact({ email: 'a@example.org' }), json: JSON.stringify(odd) };
  expect(JSON.parse(editContact(contact, { nick: 'New', groups: ['a'] }).json)).toEqual({
    ...odd,
    nick: 'New',
    groups: ['a'],
  });
});

test('an edit keeps the exact text of all other values', () => {
  const json = '{"email":"a@example.org","id":9007199254740993, "n":1.50,"nick":"old","x":{"y": [1.0]}}';
  const edited = editContact({ ...makeContact({ email: 'a@example.org' }), json }, { nick: 'new', language: 'sv' });
  expect(edited.json).toBe(
    '{"email":"a@example.org","id":9007199254740993,"n":1.50,"nick":"new","x":{"y": [1.0]},"language":"sv"}',
  );
  expect(edited).toMatchObject({ nick: 'new', language: 'sv' });
});

test("a contact whose groups aren't a list is rejected", () => {
  expect(() => makeContact({ email: 'a@example.org', groups: 'x' as never })).toThrow('text in each');
});

test('the client accepts absent, null and numeric contact fields', async () => {
  const { exchange, account } = await setUp();
  account.contacts.local.push(structuredClone(odd));
  const { local } = await exchange.readContacts();
  expect(local[0]).toMatchObject({ email: 'odd@example.org', number: '46701234567', groups: [], language: undefined });
});

// If one of these were read as an empty list, the next save would delete every contact.
test.each([
  ['{"status":"error"}', 'refused'],
  ['{"status":{"code":"error","message":"try later"}}', 'refused'],
  ['{"local":[]}', 'changed-format'],
  ['{"global":[]}', 'changed-format'],
  ['{"local":null,"global":[]}', 'changed-format'],
  ['{"local":{},"global":{}}', 'changed-format'],
  ['{"data":{"local":[],"global":[]}}', 'changed-format'],
  ['[]', 'changed-format'],
  ['{"local":[{"email":"a@example.org","groups":"legal"}],"global":[]}', 'changed-format'],
])('reading the contact list %s fails', async (body, code) => {
  const { exchange, server } = await setUp();
  server.addFault({ operation: 'contacts_read', kind: 'answer', times: 2, answer: { body } });
  expect(await failureOf(exchange.readContacts())).toMatchObject({ code, operation: 'readContacts' });
});

test('a changed-format error contains the operation, the field and its value', async () => {
  const { exchange, server } = await setUp();
  const body = '{"local":[{"email":"a@example.org"},{"email":"b@example.org","groups":"legal"}],"global":[]}';
  server.addFault({ operation: 'contacts_read', kind: 'answer', times: 2, answer: { body } });
  const { message } = await failureOf(exchange.readContacts());
  expect(message).toContain('read the contacts');
  expect(message).toContain('local[1].groups');
  expect(message).toContain('"groups":"legal"');
});

test('the error for a refused contact list quotes the service', async () => {
  const { exchange, server, account } = await setUp({ server: { behaviour: { contactsAdd: 'refuse-existing' } } });
  account.contacts.local.push({ email: 'there@example.org' });
  const { local } = await exchange.readContacts();
  const failure = await failureOf(exchange.replaceContacts([...local, makeContact({ email: 'new@example.org' })]));
  expect(failure).toMatchObject({ code: 'refused', serviceText: expect.stringMatching(/exist/) });
  expect(account.contacts.local).toEqual([{ email: 'there@example.org' }]);
  server.behaviour.contactsAdd = 'replace';
  await exchange.replaceContacts([...local, makeContact({ email: 'new@example.org' })]);
  expect(account.contacts.local).toHaveLength(2);
});
