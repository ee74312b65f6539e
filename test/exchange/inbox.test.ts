import { expect, test } from 'vitest';
import { failureOf, setUp, user } from '../helpers/exchange.ts';

const item = (url: string) => ({ url, sender: 'bo@example.org', files: [{ name: 'a.pdf', settings: '[]' }] });
const drop = (index: number) => ({
  drop_type: 'downloadfiles',
  create_time: String(1_700_000_000 + index),
  receivers: [{ email: `receiver${index}@example.org`, name: '"inbox":[' }],
  ddmessage: 'Text with "inbox":[{"url":"trap"}] in it',
  inbox: [item('trap')],
  files: [{ name: `${index}.pdf`, settings: '["inbox"]' }],
});

/** A service that answers the next `times` history reads with `body`. */
async function withHistory(body: object, times = 1) {
  const setup = await setUp();
  const answer = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  setup.server.addFault({ operation: 'get_history', kind: 'answer', times, answer });
  return setup;
}

test('readInbox skips an unchanged answer and reads a changed one', async () => {
  const { exchange, server, callCount } = await setUp();
  await server.addInboxItem(user, { sender: 'bo@example.org', files: [{ name: 'a', data: 'a' }] });
  const first = await exchange.readInbox();
  expect(first.items).toHaveLength(1);
  expect(await exchange.readInbox({ knownDigest: first.digest })).toEqual({ items: undefined, digest: first.digest });
  await server.addInboxItem(user, { sender: 'bo@example.org', files: [{ name: 'b', data: 'b' }] });
  const second = await exchange.readInbox({ knownDigest: first.digest });
  expect(second.items).toHaveLength(2);
  expect(second.digest).not.toBe(first.digest);
  expect(callCount('get_history')).toBe(3);
});

test('readInbox repeats the request if a changed answer exceeds the buffer limit', async () => {
  const body = { history: Array.from({ length: 20 }, (_, index) => drop(index)), inbox: [item('x')] };
  const { client, callCount } = await withHistory(body, 2);
  const { items, digest } = await client({ limits: { bufferedBytes: 1000 } }).readInbox({
    knownDigest: 'another digest',
  });
  expect(items).toMatchObject([{ url: 'x' }]);
  expect(digest).not.toBe('another digest');
  expect(callCount('get_history')).toBe(2);
});

test.each([
  ['first', { inbox: [item('x'), item('y')], live_drops: '1', history: [drop(1), drop(2)] }],
  ['last', { history: [drop(1), drop(2)], live_drops: '1', inbox: [item('x'), item('y')] }],
  ['middle', { live_drops: '1', history: [drop(1)], inbox: [item('x'), item('y')], more: [drop(3)] }],
])('readInbox finds the inbox in position "%s", despite similar keys', async (_, body) => {
  const { exchange } = await withHistory(body);
  expect((await exchange.readInbox()).items?.map(({ url }) => url)).toEqual(['x', 'y']);
});

test('a truncated answer is an error even if its inbox is complete', async () => {
  const { exchange, server } = await setUp();
  const answer = { body: '{"inbox":[{"url":"x"}],"history":[' };
  server.addFault({ operation: 'get_history', kind: 'answer', times: 2, answer });
  expect(await failureOf(exchange.readInbox())).toMatchObject({ code: 'changed-format' });
});

test('an error that occurs twice is not treated as an unchanged inbox', async () => {
  const { exchange, server } = await setUp();
  server.addFault({ operation: 'get_history', kind: 'answer', times: 4, answer: { body: '{"status":"error"}' } });
  expect(await failureOf(exchange.readInbox())).toMatchObject({ code: 'refused' });
  expect(await failureOf(exchange.readInbox())).toMatchObject({ code: 'refused' });
});

test('a broken history entry fails readHistory but not readInbox', async () => {
  const body = { history: [drop(1), 'broken'], inbox: [item('x')] };
  const { exchange } = await withHistory(body, 3);
  expect((await exchange.readInbox()).items).toHaveLength(1);
  expect(await failureOf(exchange.readHistory())).toMatchObject({ code: 'changed-format' });
});
