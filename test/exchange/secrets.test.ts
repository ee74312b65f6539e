import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { apiKey, failureOf, setUp, user } from '../helpers/exchange.ts';
import { calls, prepare } from '../helpers/operations.ts';

const credentials = Buffer.from(`${user}:${apiKey}`).toString('base64');

test('secrets echoed by the service appear in neither errors nor the log', async () => {
  const lines: unknown[] = [];
  const log = {
    debug: (fields: object, message: string) => lines.push([fields, message]),
    warn: (fields: object, message: string) => lines.push([fields, message]),
  };
  const setup = await setUp({ client: { log } });
  await prepare(setup);
  const tokens = () => setup.account.tokens.map(({ value }) => value);
  for (const call of calls) {
    const body = `key ${apiKey}, header Basic ${credentials}, token ${tokens().join(' ')}`;
    setup.server.addFault({ operation: call.endpoint, kind: 'answer', times: 2, answer: { status: 500, body } });
    const failure = await failureOf(call.run(setup.exchange));
    for (const secret of [apiKey, credentials, ...tokens()]) {
      expect(inspect(failure, { depth: 10 })).not.toContain(secret);
    }
    expect(failure.message).toContain('[secret]');
  }
  expect(lines.length).toBeGreaterThan(calls.length);
  for (const secret of [apiKey, credentials, ...tokens()]) expect(inspect(lines, { depth: 10 })).not.toContain(secret);
});

test.each([
  ['written in JSON', (secret: string) => JSON.stringify({ error: `bad key ${secret}` })],
  ['in an address', (secret: string) => `GET /?key=${encodeURIComponent(secret)}`],
  ['where a long text is truncated', (secret: string) => `${'x'.repeat(185)}${secret} and more`],
])('an API key %s is redacted', async (_, body) => {
  const { exchange, server } = await setUp();
  for (const status of [200, 500]) {
    server.addFault({ operation: 'contacts_read', kind: 'answer', times: 2, answer: { status, body: body(apiKey) } });
    const printed = inspect(await failureOf(exchange.readContacts()), { depth: 10 });
    for (const spelling of [apiKey.slice(0, 9), JSON.stringify(apiKey).slice(1, 12), encodeURIComponent(apiKey)]) {
      expect(printed).not.toContain(spelling);
    }
  }
});

test.each([`hello ${apiKey}`, '{"csrftoken":"live-one"}', '<p>csrf-token = live-one</p>'])(
  "the error for a wrong page doesn't contain the secret of %j",
  async (body) => {
    const { exchange, server } = await setUp();
    server.addFault({ operation: 'index', kind: 'answer', answer: { body } });
    const printed = inspect(await failureOf(exchange.signIn()), { depth: 10 });
    expect(printed).not.toContain(apiKey);
    expect(printed).not.toContain('live-one');
  },
);

test('each call logs operation, account and duration; failures also log a code', async () => {
  const lines: object[] = [];
  const log = { debug: (fields: object) => lines.push(fields), warn: (fields: object) => lines.push(fields) };
  const { exchange, server } = await setUp({ client: { log } });
  await exchange.readContacts();
  server.addFault({ operation: 'get_files', kind: 'reset-before' });
  await failureOf(exchange.listFiles());
  const account = exchange.account;
  expect(lines).toEqual([
    { operation: 'signIn', account, ms: 0 },
    { operation: 'readContacts', account, ms: 0 },
    { operation: 'listFiles', account, ms: 0, code: 'cut-short', status: undefined },
  ]);
});
