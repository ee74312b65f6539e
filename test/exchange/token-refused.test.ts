import { describe, expect, test } from 'vitest';
import { failureOf, setUp } from '../helpers/exchange.ts';
import { calls, commits, prepare, repeatable } from '../helpers/operations.ts';

const shapes = ['status', 'html', 'json', 'empty'] as const;
const quarterHourMs = 15 * 60_000;

describe.each(shapes)('a service that refuses with: %s', (failure) => {
  test.each(repeatable)('$name succeeds with a fresh token when the old one is refused', async (call) => {
    const setup = await setUp();
    await prepare(setup);
    setup.server.behaviour.failure = failure;
    setup.account.tokens.length = 0;
    await call.run(setup.exchange);
    expect(setup.callCount('index')).toBe(1);
    expect(setup.callCount(call.endpoint)).toBe(2);
    expect(setup.server.calls.at(-1)).toMatchObject({ outcome: 'done', processed: true });
  });

  test.each(commits)('$name with a refused token fails as outcome-unknown and is not retried', async (call) => {
    const setup = await setUp();
    await prepare(setup);
    setup.server.behaviour.failure = failure;
    setup.account.tokens.length = 0;
    expect(await failureOf(call.run(setup.exchange))).toMatchObject({ code: 'outcome-unknown', operation: call.name });
    expect(setup.callCount(call.endpoint)).toBe(1);
    expect(setup.account.drops).toEqual([]);
  });

  test.each(repeatable)('$name is tried at most twice when every token is refused', async (call) => {
    const setup = await setUp();
    await prepare(setup);
    setup.server.behaviour.failure = failure;
    setup.server.addFault({ operation: call.endpoint, kind: 'wrong-token', times: 10 });
    // An empty answer to a download with a fresh token looks like an empty file.
    if (call.name === 'download' && failure === 'empty') {
      await expect(call.run(setup.exchange)).resolves.toEqual(Buffer.alloc(0));
    } else {
      // A page instead of a file can only be a refusal; a page instead of JSON can also be a new format.
      const codes = { status: 'token-refused', html: 'changed-format', json: 'refused', empty: 'changed-format' };
      const expected = call.name === 'download' && failure === 'html' ? 'token-refused' : codes[failure];
      expect(await failureOf(call.run(setup.exchange))).toMatchObject({ code: expected, operation: call.name });
    }
    expect(setup.callCount(call.endpoint)).toBe(2);
  });

  test('a wrong key and a wrong token give different errors', async () => {
    const setup = await setUp();
    await prepare(setup);
    setup.server.behaviour.failure = failure;
    setup.account.apiKey = 'changed';
    const { code } = await failureOf(setup.exchange.readContacts());
    expect(code).toBe(failure === 'status' ? 'credentials-refused' : 'not-the-service');
  });
});

test.each(calls)('$name uses a fresh token when the stored one has expired', async (call) => {
  const setup = await setUp();
  await prepare(setup);
  setup.clock.advance(quarterHourMs);
  await call.run(setup.exchange);
  expect(setup.callCount('index')).toBe(1);
  expect(setup.callCount(call.endpoint)).toBe(1);
});

test('a call refused with a fresh token fetches no second token', async () => {
  const setup = await setUp();
  setup.server.addFault({ operation: 'contacts_read', kind: 'answer', answer: { status: 500, body: 'oh no' } });
  expect(await failureOf(setup.exchange.readContacts())).toMatchObject({
    code: 'refused',
    status: 500,
    serviceText: 'oh no',
  });
  expect(setup.callCount('index')).toBe(1);
  expect(setup.callCount('contacts_read')).toBe(1);
});

test('a 403 without text counts as a refused token', async () => {
  const { exchange, server } = await setUp();
  server.addFault({ operation: 'contacts_read', kind: 'answer', times: 2, answer: { status: 403, body: '' } });
  expect(await failureOf(exchange.readContacts())).toMatchObject({ code: 'token-refused' });
});

test('the first refusal is reported, not the failed token renewal after it', async () => {
  const { exchange, server } = await setUp();
  await exchange.readContacts();
  server.addFault({ operation: 'get_files', kind: 'answer', answer: { status: 500, body: 'out of order' } });
  server.addFault({ operation: 'index', kind: 'answer', answer: { status: 503, body: 'too many tokens' } });
  expect(await failureOf(exchange.listFiles())).toMatchObject({ code: 'refused', serviceText: 'out of order' });
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])(
  'an expiry of %s is rejected before anything is sent',
  async (timeToLive) => {
    const setup = await setUp();
    await prepare(setup);
    const failure = await failureOf(setup.exchange.createDispatch({ timeToLive, message: '' }));
    expect(failure).toMatchObject({ code: 'invalid-input' });
    expect(setup.server.calls).toEqual([]);
  },
);
