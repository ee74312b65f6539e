import { describe, expect, test } from 'vitest';
import { createMemoryTokens } from '../../src/exchange/index.ts';
import { failureOf, fileOf, setUp } from '../helpers/exchange.ts';
import { calls, commits, prepare, repeatable } from '../helpers/operations.ts';

const shapes = ['status', 'html', 'json', 'empty'] as const;
const quarter = 15 * 60_000;

describe.each(shapes)('a service that refuses with: %s', (failure) => {
  test.each(repeatable)(
    '$name goes through with a fresh token when the service has forgotten the old one',
    async (call) => {
      const setup = await setUp();
      await prepare(setup);
      setup.server.behaviour.failure = failure;
      setup.account.tokens.length = 0;
      await call.run(setup.exchange);
      expect(setup.asked('index')).toBe(1);
      expect(setup.asked(call.endpoint)).toBe(2);
      expect(setup.server.calls.at(-1)).toMatchObject({ outcome: 'done', processed: true });
    },
  );

  test.each(commits)('$name is not repeated when its token is refused, and its outcome is unknown', async (call) => {
    const setup = await setUp();
    await prepare(setup);
    setup.server.behaviour.failure = failure;
    setup.account.tokens.length = 0;
    expect(await failureOf(call.run(setup.exchange))).toMatchObject({ code: 'outcome-unknown', operation: call.name });
    expect(setup.asked(call.endpoint)).toBe(1);
    expect(setup.account.drops).toEqual([]);
  });

  test.each(repeatable)('$name is tried twice and no more when every token is refused', async (call) => {
    const setup = await setUp();
    await prepare(setup);
    setup.server.behaviour.failure = failure;
    setup.server.addFault({ operation: call.endpoint, kind: 'wrong-token', times: 10 });
    // An empty answer to a download with a fresh token is an empty file, as far as anybody can tell.
    if (call.name === 'download' && failure === 'empty') {
      await expect(call.run(setup.exchange)).resolves.toEqual(Buffer.alloc(0));
    } else {
      // A page instead of a file can only be a refusal; a page instead of JSON may also be a new format.
      const codes = { status: 'token-refused', html: 'changed-format', json: 'refused', empty: 'changed-format' };
      const expected = call.name === 'download' && failure === 'html' ? 'token-refused' : codes[failure];
      expect(await failureOf(call.run(setup.exchange))).toMatchObject({ code: expected, operation: call.name });
    }
    expect(setup.asked(call.endpoint)).toBe(2);
  });

  test('a wrong key is told from a wrong token', async () => {
    const setup = await setUp();
    await prepare(setup);
    setup.server.behaviour.failure = failure;
    setup.account.apiKey = 'changed';
    const { code } = await failureOf(setup.exchange.readContacts());
    expect(code).toBe(failure === 'status' ? 'credentials-refused' : 'not-the-service');
  });
});

test.each(calls)('$name uses a fresh token at once when the kept one is past its life', async (call) => {
  const setup = await setUp();
  await prepare(setup);
  setup.clock.advance(quarter);
  await call.run(setup.exchange);
  expect(setup.asked('index')).toBe(1);
  expect(setup.asked(call.endpoint)).toBe(1);
});

test('a token fetched for the call itself is not replaced when the call is refused', async () => {
  const setup = await setUp();
  setup.server.addFault({ operation: 'contacts_read', kind: 'answer', answer: { status: 500, body: 'oh no' } });
  expect(await failureOf(setup.exchange.readContacts())).toMatchObject({ code: 'refused', status: 500, said: 'oh no' });
  expect(setup.asked('index')).toBe(1);
  expect(setup.asked('contacts_read')).toBe(1);
});

test('each valid use prolongs the life of a token', async () => {
  const { exchange, clock, asked } = await setUp();
  for (let minutes = 0; minutes < 60; minutes += 5) {
    await exchange.readContacts();
    clock.advance(5 * 60_000);
  }
  expect(asked('index')).toBe(1);
});

test('a token is not used beyond its life, although the service might still take it', async () => {
  const { exchange, clock, account } = await setUp({ server: { behaviour: { tokenLifeMs: 24 * 3600_000 } } });
  await exchange.readContacts();
  clock.advance(12 * 60_000);
  await exchange.readContacts();
  expect(account.tokens).toHaveLength(2);
});

test('however many calls wait, one token is fetched', async () => {
  const { exchange, asked } = await setUp();
  await Promise.all(Array.from({ length: 50 }, () => exchange.readContacts()));
  expect(asked('index')).toBe(1);
});

test('clients that share a store share the token, and one of them renews it', async () => {
  const tokens = createMemoryTokens();
  const { client, asked, account } = await setUp({ client: { tokens } });
  const clients = Array.from({ length: 10 }, () => client());
  await Promise.all(clients.map((each) => each.readContacts()));
  expect(asked('index')).toBe(1);
  account.tokens.length = 0;
  await Promise.all(clients.map((each) => each.readContacts()));
  expect(asked('index')).toBe(2);
});

test('a failed renewal fails those who waited, and the next call tries again', async () => {
  const { exchange, server } = await setUp();
  server.addFault({ operation: 'index', kind: 'reset-before' });
  const outcomes = await Promise.allSettled([exchange.readContacts(), exchange.listFiles()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await exchange.readContacts();
});

test('somebody who gives up waiting for a token does not take it from the others', async () => {
  const { exchange, server } = await setUp();
  const slow = server.addFault({ operation: 'index', kind: 'delay' });
  const impatient = new AbortController();
  const given = exchange.readContacts({ signal: impatient.signal });
  const waiting = exchange.listFiles();
  await slow.struck;
  impatient.abort(new Error('not today'));
  await expect(given).rejects.toThrow('not today');
  await slow.release();
  await expect(waiting).resolves.toEqual([]);
});

test.each([
  [401, 'credentials-refused'],
  [403, 'credentials-refused'],
  [404, 'not-the-service'],
  [410, 'not-the-service'],
  [301, 'not-the-service'],
  [503, 'refused'],
])('an account page with status %s means: %s', async (status, code) => {
  const { exchange, server } = await setUp();
  server.addFault({ operation: 'index', kind: 'answer', answer: { status, headers: { 'content-encoding': 'gzip' } } });
  expect(await failureOf(exchange.signIn())).toMatchObject({ code, status });
});

test('a token that cannot stand in a header is no token', async () => {
  const { exchange, server } = await setUp();
  const body = '<input type=hidden name=csrftoken value="a b">';
  server.addFault({ operation: 'index', kind: 'answer', answer: { body } });
  expect(await failureOf(exchange.readContacts())).toMatchObject({ code: 'not-the-service', operation: 'signIn' });
});

test('an empty 403 is about the token', async () => {
  const { exchange, server } = await setUp();
  server.addFault({ operation: 'contacts_read', kind: 'answer', times: 2, answer: { status: 403, body: '' } });
  expect(await failureOf(exchange.readContacts())).toMatchObject({ code: 'token-refused' });
});

test('signing in proves the key although a token is kept, and although another renews', async () => {
  const tokens = createMemoryTokens();
  const { client, server, asked } = await setUp({ client: { tokens } });
  await client().signIn();
  await client().signIn();
  expect(asked('index')).toBe(2);
  await tokens.write(client().account, { value: 'outworn', lastUsed: 0 });
  const slow = server.addFault({ operation: 'index', kind: 'delay' });
  const good = client().readContacts();
  await slow.struck;
  const bad = failureOf(client({ apiKey: 'wrong' }).signIn());
  await slow.release();
  await good;
  expect(await bad).toMatchObject({ code: 'credentials-refused' });
});

test('signing in asks nothing when it was given up before, and can be given up while it waits', async () => {
  const { exchange, server } = await setUp();
  expect(await failureOf(exchange.signIn({ signal: AbortSignal.abort(new Error('given up')) }))).toMatchObject({
    message: 'given up',
  });
  expect(server.calls).toEqual([]);
  const slow = server.addFault({ operation: 'index', kind: 'delay' });
  const controller = new AbortController();
  const given = failureOf(exchange.signIn({ signal: controller.signal }));
  await slow.struck;
  controller.abort(new Error('given up'));
  expect(await given).toBe(controller.signal.reason);
  await slow.release();
});

test('files that are not there cost no tokens', async () => {
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

test('that the service gives no further token is told less loudly than what it said first', async () => {
  const { exchange, server } = await setUp();
  await exchange.readContacts();
  server.addFault({ operation: 'get_files', kind: 'answer', answer: { status: 500, body: 'out of order' } });
  server.addFault({ operation: 'index', kind: 'answer', answer: { status: 503, body: 'too many tokens' } });
  expect(await failureOf(exchange.listFiles())).toMatchObject({ code: 'refused', said: 'out of order' });
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])(
  'a time to live of %s is refused before anything is sent',
  async (timeToLive) => {
    const setup = await setUp();
    await prepare(setup);
    const failure = await failureOf(setup.exchange.createDispatch({ timeToLive, message: '' }));
    expect(failure).toMatchObject({ code: 'invalid-input' });
    expect(setup.server.calls).toEqual([]);
  },
);

describe.each(['write', 'exclusively', 'read'] as const)('a store that hangs in %s', (method) => {
  test('holds no call for longer than a call may take', async () => {
    const memory = createMemoryTokens();
    const tokens = { ...memory, [method]: () => new Promise<never>(() => {}) };
    const { client } = await setUp({ client: { tokens, limits: { callMs: 100 } } });
    expect(await failureOf(client().readContacts())).toMatchObject({ code: 'timeout' });
    expect(await failureOf(client().upload(fileOf('a', 'a')))).toMatchObject({ code: 'timeout' });
  });
});

test('a store that hangs after the service has done its work does not hold the call', async () => {
  const memory = createMemoryTokens();
  let hangs = false;
  const tokens: typeof memory = {
    ...memory,
    write: (account, token) => (hangs ? new Promise(() => {}) : memory.write(account, token)),
  };
  const setup = await setUp({ client: { tokens } });
  await prepare(setup);
  hangs = true;
  setup.clock.advance(5 * 60_000);
  await setup.exchange.createDispatch({ timeToLive: 1, message: '' });
  expect(setup.account.drops).toHaveLength(1);
});

describe('the sixty-first token', () => {
  test('drops the first, whose owner gets another', async () => {
    const { client, exchange, account } = await setUp();
    await exchange.readContacts();
    for (let i = 0; i < 60; i += 1) await client().signIn();
    expect(account.tokens).toHaveLength(60);
    await exchange.readContacts();
  });

  test('is told in words where the service gives none', async () => {
    const { client, server } = await setUp();
    server.behaviour.tokenOverflow = 'refuse';
    for (let i = 0; i < 60; i += 1) await client().signIn();
    const { code } = await failureOf(client().readContacts());
    expect(code).toMatch(/not-the-service|refused/);
  });
});

test('a store that fails after the service has done its work does not make the work look undone', async () => {
  const memory = createMemoryTokens();
  let broken = false;
  const tokens: typeof memory = {
    ...memory,
    write: async (account, token) => {
      if (broken) throw new Error('database gone');
      await memory.write(account, token);
    },
  };
  const setup = await setUp({ client: { tokens } });
  await prepare(setup);
  broken = true;
  setup.clock.advance(5 * 60_000);
  await setup.exchange.createDispatch({ timeToLive: 1, message: '' });
  expect(setup.account.drops).toHaveLength(1);
});
