import { expect, test } from 'vitest';
import { loggedIn, startExchange } from './helper.ts';

const minute = 60_000;
const operations: [string, string][] = [
  ['GET', '/cgi/contacts_read.cgi'],
  ['POST', '/cgi/contacts_add.cgi'],
  ['POST', '/cgi/receivers_set.cgi'],
  ['GET', '/cgi/get_files.cgi'],
  ['GET', '/cgi/remove_file.cgi?filename=x'],
  ['POST', '/cgi/upload.cgi'],
  ['POST', '/cgi/createdrop.cgi'],
  ['POST', '/cgi/givedrop.cgi'],
  ['GET', '/cgi/get_history.cgi'],
  ['GET', '/some/files/x'],
];

test.each(operations)('%s %s is refused without a valid token', async (method, path) => {
  const exchange = await loggedIn();
  for (const token of [undefined, '', 'x', `${exchange.token}x`]) {
    expect((await exchange.send(method, path, { 'csrf-token': token })).status).toBe(403);
  }
});

test('each load of the account page issues a new token, and all stay valid', async () => {
  const exchange = await startExchange();
  const tokens = new Set<string>();
  for (let count = 0; count < 5; count++) tokens.add(await exchange.login());
  expect(tokens.size).toBe(5);
  for (const token of tokens) {
    exchange.token = token;
    expect((await exchange.get('get_files')).status).toBe(200);
  }
});

test('a token expires 15 minutes after its last valid use and is deleted', async () => {
  const exchange = await loggedIn();
  for (let count = 0; count < 3; count++) {
    exchange.clock.now += 15 * minute - 1;
    expect((await exchange.get('get_files')).status).toBe(200);
  }
  exchange.clock.now += 15 * minute;
  expect((await exchange.get('get_files')).status).toBe(403);
  expect(exchange.account.tokens).toEqual([]);
});

test('a request without credentials does not extend a token', async () => {
  const exchange = await loggedIn();
  exchange.clock.now += 10 * minute;
  await exchange.send('GET', '/cgi/get_files.cgi', { authorization: undefined });
  exchange.clock.now += 5 * minute;
  expect((await exchange.get('get_files')).status).toBe(403);
});

test('the 61st token replaces the oldest, even if that was just used', async () => {
  const exchange = await startExchange();
  const first = await exchange.login();
  const second = await exchange.login();
  for (let count = 2; count < 60; count++) await exchange.login();
  exchange.token = first;
  exchange.clock.now += minute;
  expect((await exchange.get('get_files')).status).toBe(200);
  await exchange.login();
  expect(exchange.account.tokens).toHaveLength(60);
  exchange.token = first;
  expect((await exchange.get('get_files')).status).toBe(403);
  exchange.token = second;
  expect((await exchange.get('get_files')).status).toBe(200);
});

test('the 61st token can be refused until an older one expires', async () => {
  const exchange = await startExchange({ behaviour: { tokenOverflow: 'refuse' } });
  for (let count = 0; count < 60; count++) await exchange.login();
  expect((await exchange.send('GET', '/')).status).toBe(429);
  expect((await exchange.get('get_files')).status).toBe(200);
  exchange.clock.now += 15 * minute;
  expect((await exchange.send('GET', '/')).status).toBe(200);
  expect(exchange.account.tokens).toHaveLength(1);
});

test('the lifetime and number of tokens can be changed at runtime', async () => {
  const exchange = await loggedIn();
  exchange.server.behaviour.tokenLifeMs = 1000;
  exchange.clock.now += 1000;
  expect((await exchange.get('get_files')).status).toBe(403);
  exchange.server.behaviour.tokenLimit = 2;
  for (let count = 0; count < 3; count++) await exchange.login();
  expect(exchange.account.tokens).toHaveLength(2);
});
