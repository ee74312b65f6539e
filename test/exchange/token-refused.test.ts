import { expect, test } from 'vitest';
import { failureOf, setUp } from '../helpers/exchange.ts';
import { calls, prepare } from '../helpers/operations.ts';
import { testRefusedTokens } from './token-refused.ts';

const quarterHourMs = 15 * 60_000;

// The deep tier tests the other shapes.
testRefusedTokens(['status']);

test.each(calls)('$name uses a fresh token when the stored one has expired', async (call) => {
  const setup = await setUp();
  await prepare(setup);
  setup.clock.advance(quarterHourMs);
  await call.run(setup.exchange);
  expect(setup.callCount('index')).toBe(1);
  expect(setup.callCount(call.endpoint)).toBe(1);
});

test('if a call is refused with a fresh token, no second token is fetched', async () => {
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

test('an error quotes the first refusal, not the failed token renewal after it', async () => {
  const { exchange, server } = await setUp();
  await exchange.readContacts();
  server.addFault({ operation: 'get_files', kind: 'answer', answer: { status: 500, body: 'out of order' } });
  server.addFault({ operation: 'index', kind: 'answer', answer: { status: 503, body: 'too many tokens' } });
  expect(await failureOf(exchange.listFiles())).toMatchObject({ code: 'refused', serviceText: 'out of order' });
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])(
  'a dispatch with the expiry %s is rejected before any request',
  async (expiresAfter) => {
    const setup = await setUp();
    await prepare(setup);
    const failure = await failureOf(setup.exchange.createDispatch({ expiresAfter, message: '' }));
    expect(failure).toMatchObject({ code: 'invalid-input' });
    expect(setup.server.calls).toEqual([]);
  },
);
