import { expect } from 'vitest';
import { ExchangeError } from '../../src/exchange/index.ts';
import { failureOf, setUp } from '../helpers/exchange.ts';
import { type Call, calls, commits, prepare } from '../helpers/operations.ts';

export interface Answer {
  status?: number;
  body: string;
  headers?: Record<string, string>;
}

/** Answers that no call can use. */
export const garbage: [string, Answer][] = [
  ['an empty page', { body: '' }],
  ['a page', { body: '<html><body>Welcome to the hotel Wi-Fi</body></html>' }],
  ['half an object', { body: '{"status":"o' }],
  ['null', { body: 'null' }],
  ['a number', { body: '42' }],
  ['an empty object', { body: '{}' }],
  ['an unknown status', { body: '{"status":"nope"}' }],
  ['a status that is a number', { body: '{"status":1}' }],
  ['a list of numbers', { body: '[1,2,3]' }],
  ['lists of invalid entries', { body: '{"local":[1],"global":["x"],"history":[null],"inbox":[[]]}' }],
  ['binary data', { body: '\u0000\u0001\u0002' }],
  ['unclosed nested lists', { body: '['.repeat(50_000) }],
  ['unrequested compressed bytes', { body: '{"status":"ok"}', headers: { 'content-encoding': 'gzip' } }],
  ['HTTP 500', { status: 500, body: '{"status":"ok"}' }],
  ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/elsewhere' } }],
];

/** A download can contain anything; download.test.ts covers the answers that can be recognised as errors. */
export const callsWithAnswers = calls.filter(({ name }) => name !== 'download');

/** The call must fail with a short error, whatever the service answers. */
export async function expectShortError(call: Call, answer: Answer): Promise<void> {
  const setup = await setUp();
  await prepare(setup);
  setup.server.addFault({ operation: call.endpoint, kind: 'answer', times: 2, answer });
  const failure = await failureOf(call.run(setup.exchange));
  expect(failure).toBeInstanceOf(ExchangeError);
  expect(failure).toMatchObject({ operation: call.name });
  expect(failure.code).toMatch(commits.includes(call) ? /^outcome-unknown$/ : /^(refused|changed-format)$/);
  expect(failure.message.length).toBeLessThan(500);
}
