import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { apiKey, failureOf, setUp, user } from '../helpers/exchange.ts';
import { calls, prepare } from '../helpers/operations.ts';

const credentials = Buffer.from(`${user}:${apiKey}`).toString('base64');

test('a service that repeats our secrets does not get them into errors or the log', async () => {
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

test('each call writes one line with operation, account and duration, and a failed one its code', async () => {
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
