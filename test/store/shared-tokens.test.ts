import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { setUp } from '../helpers/exchange.ts';
import { shareJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();

test('two processes fetch one token for a hundred operations', async () => {
  const { store, openAnotherStore } = await shareJobs(postgres);
  const { client, callCount } = await setUp();
  const clients = [client({ tokens: store.tokens }), client({ tokens: (await openAnotherStore()).tokens })];
  await Promise.all(Array.from({ length: 100 }, (_, index) => clients[index % 2]?.readContacts()));
  expect(callCount('contacts_read')).toBe(100);
  expect(callCount('index')).toBe(1);
});

test('one process renews a rejected token for all processes', async () => {
  const { store, openAnotherStore } = await shareJobs(postgres);
  const { client, callCount, account } = await setUp();
  const clients = [client({ tokens: store.tokens }), client({ tokens: (await openAnotherStore()).tokens })];
  await clients[0]?.readContacts();
  account.tokens.length = 0;
  await Promise.all(Array.from({ length: 20 }, (_, index) => clients[index % 2]?.readContacts()));
  expect(callCount('index')).toBe(2);
});

test('accounts do not share tokens, and an account name can be long', async () => {
  const { store } = await shareJobs(postgres);
  await store.tokens.write('https://one.example/api@example.com', { value: 'one', lastUsed: 1 });
  expect(await store.tokens.read('https://two.example/api@example.com')).toBeUndefined();
  const long = `https://${'x'.repeat(500)}.example/api@example.com`;
  await store.tokens.write(long, { value: 'long', lastUsed: 1 });
  expect(await store.tokens.read(long)).toEqual({ value: 'long', lastUsed: 1 });
});

test('recording token uses takes two SQL statements and keeps newer tokens and times', async () => {
  const { store } = await setUpStore(postgres);
  const { tokens } = store;
  for (const account of ['a', 'b', 'c', 'unreadable']) await tokens.write(account, { value: account, lastUsed: 1 });
  await tokens.write('b', { value: 'renewed', lastUsed: 2 });
  await tokens.write('c', { value: 'c', lastUsed: 9 });
  const owner = createHash('sha256').update('unreadable').digest('base64url');
  await store.pool.query(`update dropline.keyv set value = 'x' where key = $1`, [`csrf:${owner}`]);
  let statements = 0;
  store.pool.on('acquire', () => (statements += 1));
  await Promise.all(
    ['a', 'b', 'c', 'unreadable'].map((account) => tokens.recordUse(account, { value: account, lastUsed: 5 })),
  );
  expect(statements).toBe(2);
  expect(await Promise.all(['a', 'b', 'c'].map((account) => tokens.read(account)))).toEqual([
    { value: 'a', lastUsed: 5 },
    { value: 'renewed', lastUsed: 2 },
    { value: 'c', lastUsed: 9 },
  ]);
});
