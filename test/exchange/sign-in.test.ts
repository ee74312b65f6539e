import { expect, test } from 'vitest';
import { createMemoryTokens } from '../../src/exchange/index.ts';
import { failureOf, setUp } from '../helpers/exchange.ts';

test.each([
  [401, 'credentials-refused'],
  [403, 'credentials-refused'],
  [404, 'not-the-service'],
  [410, 'not-the-service'],
  [301, 'not-the-service'],
  [503, 'refused'],
])('signing in to an account page with status %s fails as %s', async (status, code) => {
  const { exchange, server } = await setUp();
  server.addFault({ operation: 'index', kind: 'answer', answer: { status, headers: { 'content-encoding': 'gzip' } } });
  expect(await failureOf(exchange.signIn())).toMatchObject({ code, status });
});

test("a CSRF token that can't be sent in a header is rejected", async () => {
  const { exchange, server } = await setUp();
  const body = '<input type=hidden name=csrftoken value="a b">';
  server.addFault({ operation: 'index', kind: 'answer', answer: { body } });
  expect(await failureOf(exchange.readContacts())).toMatchObject({ code: 'not-the-service', operation: 'signIn' });
});

test('signIn checks the API key even with a cached token or a running renewal', async () => {
  const tokens = createMemoryTokens();
  const { client, server, callCount } = await setUp({ client: { tokens } });
  await client().signIn();
  await client().signIn();
  expect(callCount('index')).toBe(2);
  await tokens.write(client().account, { value: 'expired', lastUsed: 0 });
  const slow = server.addFault({ operation: 'index', kind: 'delay' });
  const reading = client().readContacts();
  await slow.triggered;
  const failure = failureOf(client({ apiKey: 'wrong' }).signIn());
  await slow.release();
  await reading;
  expect(await failure).toMatchObject({ code: 'credentials-refused' });
});

test('signIn can be aborted before it starts and while it waits', async () => {
  const { exchange, server } = await setUp();
  expect(await failureOf(exchange.signIn({ signal: AbortSignal.abort(new Error('given up')) }))).toMatchObject({
    message: 'given up',
  });
  expect(server.calls).toEqual([]);
  const slow = server.addFault({ operation: 'index', kind: 'delay' });
  const controller = new AbortController();
  const failure = failureOf(exchange.signIn({ signal: controller.signal }));
  await slow.triggered;
  controller.abort(new Error('given up'));
  expect(await failure).toBe(controller.signal.reason);
  await slow.release();
});
