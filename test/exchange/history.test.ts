import { expect, test } from 'vitest';
import { failureOf, setUp } from '../helpers/exchange.ts';
import { withAnswers } from '../helpers/odd-service.ts';

const megabyte = 1024 ** 2;

/** A client of a service with these history entries, as JSON text. */
const withEntries = (entries: string[], limits = {}) =>
  withAnswers((_, response) => response.end(`{"inbox":[],"live_drops":"1","history":[${entries.join(',')}]}`), {
    limits,
  });

const entryOf = (message: string) => JSON.stringify({ ddmessage: message, files: [{ name: 'a.pdf' }] });

test('an 8 MB message is shortened to 64 KB and a digest', async () => {
  const long = 'x'.repeat(8 * megabyte - 100);
  const exchange = await withEntries([entryOf(`${long}1`), entryOf(`${long}2`), entryOf(`${long}1`), entryOf('short')]);
  const { entries } = await exchange.readHistory();
  const messages = entries.map(({ message = '' }) => message);
  expect(messages.map(({ length }) => length)).toEqual([65_581, 65_581, 65_581, 5]);
  expect(messages[0]).toBe(messages[2]);
  expect(messages[0]).not.toBe(messages[1]);
  expect(entries[0]?.files).toEqual([{ name: 'a.pdf' }]);
});

test('long file names in the inbox are shortened to 64 KB and a digest', async () => {
  const names = ['1', '2'].map((end) => 'x'.repeat(megabyte) + end);
  const body = JSON.stringify({ history: [], inbox: [{ url: 'u', files: names.map((name) => ({ name })) }] });
  const exchange = await withAnswers((_, response) => response.end(body));
  const [item] = (await exchange.readInbox()).items ?? [];
  const read = item?.files.map(({ name = '' }) => name) ?? [];
  expect(read.map(({ length }) => length)).toEqual([65_581, 65_581]);
  expect(read[0]).not.toBe(read[1]);
});

test('contacts are never shortened, because they are sent back', async () => {
  const contact = { email: 'a@example.org', nick: 'x'.repeat(100_000) };
  const exchange = await withAnswers((_, response) => response.end(JSON.stringify({ local: [contact], global: [] })));
  expect((await exchange.readContacts()).local[0]?.json).toBe(JSON.stringify(contact));
});

test("only the data that pick() returns counts towards the history's size limit", async () => {
  const entries = Array.from({ length: 50 }, (_, number) => entryOf(`${number}`.padEnd(1_000, 'x')));
  const exchange = await withEntries(entries, { historyBytes: 40_000 });
  expect(await failureOf(exchange.readHistory())).toMatchObject({
    code: 'changed-format',
    message: expect.stringContaining('at most 40000 bytes of "history"'),
  });
  const { entries: picked, total } = await exchange.readHistory({ pick: ({ message = '' }) => message.slice(0, 3) });
  expect(picked.slice(0, 2)).toEqual(['0xx', '1xx']);
  expect([picked.length, total]).toEqual([50, 50]);
});

test('an entry with too many values is rejected before it is parsed', async () => {
  const files = Array.from({ length: 2_000 }, () => '{}').join(',');
  const exchange = await withEntries([`{"files":[${files}]}`], { entryParts: 1_000 });
  expect(await failureOf(exchange.readHistory())).toMatchObject({
    code: 'changed-format',
    message: expect.stringContaining('at most 1000 values in history[0]'),
  });
});

test('a retry of readHistory calls begin() again and counts entries from zero', async () => {
  const { exchange, server } = await setUp();
  await exchange.readHistory();
  // The answer is invalid midway. The token could be the cause, so the call is retried with a fresh one.
  const broken = { body: `{"inbox":[],"history":[${entryOf('a')},"broken"]}` };
  server.addFault({ operation: 'get_history', kind: 'answer', answer: broken });
  let starts = 0;
  const { total } = await exchange.readHistory({ begin: () => (starts += 1), pick: () => undefined });
  expect([starts, total]).toEqual([2, 0]);
});
