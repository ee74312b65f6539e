import { describe, expect, test } from 'vitest';
import { createMemoryTokens } from '../../src/exchange/index.ts';
import { failureOf, fileOf, setUp } from '../helpers/exchange.ts';
import { prepare } from '../helpers/operations.ts';

test('each use extends the lifetime of a token', async () => {
  const { exchange, clock, callCount } = await setUp();
  for (let minutes = 0; minutes < 60; minutes += 5) {
    await exchange.readContacts();
    clock.advance(5 * 60_000);
  }
  expect(callCount('index')).toBe(1);
});

test('an expired token is not used, even if the service would accept it', async () => {
  const { exchange, clock, account } = await setUp({ server: { behaviour: { tokenLifeMs: 24 * 3600_000 } } });
  await exchange.readContacts();
  clock.advance(12 * 60_000);
  await exchange.readContacts();
  expect(account.tokens).toHaveLength(2);
});

test('concurrent calls fetch one token', async () => {
  const { exchange, callCount } = await setUp();
  await Promise.all(Array.from({ length: 50 }, () => exchange.readContacts()));
  expect(callCount('index')).toBe(1);
});

test('clients that share a store share the token, and one renews it', async () => {
  const tokens = createMemoryTokens();
  const { client, callCount, account } = await setUp({ client: { tokens } });
  const clients = Array.from({ length: 10 }, () => client());
  await Promise.all(clients.map((each) => each.readContacts()));
  expect(callCount('index')).toBe(1);
  account.tokens.length = 0;
  await Promise.all(clients.map((each) => each.readContacts()));
  expect(callCount('index')).toBe(2);
});

test('a failed renewal fails the waiting calls, and the next call retries', async () => {
  const { exchange, server } = await setUp();
  server.addFault({ operation: 'index', kind: 'reset-before' });
  const outcomes = await Promise.allSettled([exchange.readContacts(), exchange.listFiles()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await exchange.readContacts();
});

test('aborting one call that waits for a token does not affect the other calls', async () => {
  const { exchange, server } = await setUp();
  const slow = server.addFault({ operation: 'index', kind: 'delay' });
  const controller = new AbortController();
  const aborted = exchange.readContacts({ signal: controller.signal });
  const waiting = exchange.listFiles();
  await slow.triggered;
  controller.abort(new Error('aborted'));
  await expect(aborted).rejects.toThrow('aborted');
  await slow.release();
  await expect(waiting).resolves.toEqual([]);
});

test("a missing file doesn't renew a token that was used moments ago", async () => {
  const { exchange, account, clock } = await setUp();
  await exchange.readInbox();
  for (let i = 0; i < 20; i += 1) {
    expect(await failureOf(exchange.download({ url: 'gone', name: 'x' }))).toMatchObject({ code: 'not-found' });
  }
  expect(account.tokens).toHaveLength(1);
  clock.advance(60_000);
  await failureOf(exchange.download({ url: 'gone', name: 'x' }));
  expect(account.tokens).toHaveLength(2);
});

describe.each(['write', 'exclusively', 'read'] as const)('if the token store hangs in %s', (method) => {
  test('a call with a hanging token store times out', async () => {
    const memory = createMemoryTokens();
    const tokens = { ...memory, [method]: () => new Promise<never>(() => {}) };
    const { client } = await setUp({ client: { tokens, limits: { callMs: 100 } } });
    expect(await failureOf(client().readContacts())).toMatchObject({ code: 'timeout' });
    expect(await failureOf(client().upload(fileOf('a', 'a')))).toMatchObject({ code: 'timeout' });
  });
});

test('if the token store hangs after the service has acted, the call still succeeds', async () => {
  const memory = createMemoryTokens();
  let isHanging = false;
  const tokens: typeof memory = {
    ...memory,
    write: (account, token) => (isHanging ? new Promise(() => {}) : memory.write(account, token)),
  };
  const setup = await setUp({ client: { tokens } });
  await prepare(setup);
  isHanging = true;
  setup.clock.advance(5 * 60_000);
  await setup.exchange.createDispatch({ expiresAfter: 1, message: '' });
  expect(setup.account.drops).toHaveLength(1);
});

describe('with more than sixty tokens', () => {
  test('the service evicts the first token, whose owner fetches a new one', async () => {
    const { client, exchange, account } = await setUp();
    await exchange.readContacts();
    for (let i = 0; i < 60; i += 1) await client().signIn();
    expect(account.tokens).toHaveLength(60);
    await exchange.readContacts();
  });

  test('a client gets an error if the service refuses to issue another token', async () => {
    const { client, server } = await setUp();
    server.behaviour.tokenOverflow = 'refuse';
    for (let i = 0; i < 60; i += 1) await client().signIn();
    const { code } = await failureOf(client().readContacts());
    expect(code).toMatch(/not-the-service|refused/);
  });
});

test('if the token store fails after the service has acted, the call still succeeds', async () => {
  const memory = createMemoryTokens();
  let isFailing = false;
  const tokens: typeof memory = {
    ...memory,
    write: async (account, token) => {
      if (isFailing) throw new Error('database gone');
      await memory.write(account, token);
    },
  };
  const setup = await setUp({ client: { tokens } });
  await prepare(setup);
  isFailing = true;
  setup.clock.advance(5 * 60_000);
  await setup.exchange.createDispatch({ expiresAfter: 1, message: '' });
  expect(setup.account.drops).toHaveLength(1);
});
