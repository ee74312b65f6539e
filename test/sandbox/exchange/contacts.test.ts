import { expect, test } from 'vitest';
import { ada, bo, loggedIn } from './helper.ts';

test('a contact is returned as sent, with unknown fields and numbers as numbers', async () => {
  const exchange = await loggedIn();
  const unusual = {
    email: 'x@y',
    number: 467,
    z: [null, { deep: 'é' }],
    a: 1.5,
    groups: 'none',
    ['__proto__']: { p: 1 },
  };
  await exchange.post('contacts_add', [unusual]);
  expect((await exchange.get('contacts_read')).text).toBe(JSON.stringify({ local: [unusual], global: [] }));
});

test.each([
  ['an object', { email: 'a@b' }],
  ['null', null],
  ['a list of strings', ['a@b']],
  ['a list of lists', [[]]],
  ['a contact without an email', [{ nick: 'x' }]],
  ['a contact with an empty email', [{ email: '' }]],
  ['an email that is not a string', [{ email: 5 }]],
  ['a duplicate email in another case', [{ email: 'A@b' }, { email: 'a@B' }]],
])('contacts_add refuses %s and changes no contact', async (_, sent) => {
  const exchange = await loggedIn();
  await exchange.post('contacts_add', [ada]);
  const answer = await exchange.post('contacts_add', sent);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.text).toMatch(/\w+ \w+/);
  expect(exchange.account.contacts.local).toEqual([ada]);
});

test('contacts_add accepts only well-formed JSON of limited size', async () => {
  const exchange = await loggedIn();
  const post = (type: string | undefined, body: string | Buffer) =>
    exchange.send('POST', '/cgi/contacts_add.cgi', { 'content-type': type }, body);
  expect((await post('text/plain', '[]')).status).toBe(415);
  expect((await post(undefined, '[]')).status).toBe(415);
  expect((await post('application/json; charset=latin1', '[]')).status).toBe(415);
  expect((await post('application/json', '[')).status).toBe(400);
  expect((await post('application/json', '')).status).toBe(400);
  expect((await post('application/json', Buffer.from('5b22ff225d', 'hex'))).status).toBe(400);
  expect((await post('application/json', `["${'x'.repeat(17_000_000)}"]`)).status).toBe(413);
  expect((await post('application/json; charset=utf-8', '[]')).status).toBe(200);
});

test('an add-only service refuses lists with an existing contact; [] removes all', async () => {
  const exchange = await loggedIn({ behaviour: { contactsAdd: 'refuse-existing' } });
  exchange.account.contacts.global.push({ email: 'global@example.org' });
  await exchange.post('contacts_add', [ada]);
  await exchange.post('contacts_add', [bo]);
  expect(exchange.account.contacts.local).toEqual([ada, bo]);
  const again = [{ email: 'new@example.org' }, { email: 'ADA@example.org' }];
  expect((await exchange.post('contacts_add', again)).status).toBe(409);
  expect((await exchange.post('contacts_add', [{ email: 'Global@example.org' }])).status).toBe(409);
  expect(exchange.account.contacts.local).toEqual([ada, bo]);
  await exchange.post('contacts_add', []);
  expect(exchange.account.contacts.local).toEqual([]);
});

test('receivers_set replaces all receivers', async () => {
  const exchange = await loggedIn();
  expect((await exchange.post('receivers_set', [ada, bo])).text).toBe('{"status":"ok"}');
  await exchange.post('receivers_set', [bo]);
  expect(exchange.account.receivers).toEqual([bo]);
  expect((await exchange.post('receivers_set', [{}])).status).toBe(400);
  expect(exchange.account.receivers).toEqual([bo]);
  await exchange.post('receivers_set', []);
  expect(exchange.account.receivers).toEqual([]);
});
