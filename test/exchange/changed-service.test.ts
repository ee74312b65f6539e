import { expect, test } from 'vitest';
import { failureOf, fileOf, setUp, user } from '../helpers/exchange.ts';
import { calls, prepare } from '../helpers/operations.ts';

test.each(calls)('$name accepts an answer whose status is an object', async (call) => {
  const setup = await setUp({ server: { behaviour: { status: 'structured' } } });
  await prepare(setup);
  await call.run(setup.exchange);
  expect(setup.server.calls.at(-1)).toMatchObject({ outcome: 'done', processed: true });
});

test.each(['live_drops', 'live_drop'] as const)(
  'the number of active drops is read from the field %s',
  async (liveDropsField) => {
    const setup = await setUp({ server: { behaviour: { liveDropsField } } });
    await prepare(setup);
    await setup.exchange.createDispatch({ expiresAfter: 1, message: '' });
    expect((await setup.exchange.readHistory()).liveDrops).toBe(1);
  },
);

test.each([
  ['"3"', 3],
  ['3', 3],
  ['"many"', undefined],
  ['""', undefined],
  ['null', undefined],
  ['{"count":3}', undefined],
])('the value %s of live_drops is read as %s', async (value, liveDrops) => {
  const { exchange, server } = await setUp();
  const body = `{"history":[],"live_drops":${value},"inbox":[]}`;
  server.addFault({ operation: 'get_history', kind: 'answer', answer: { body } });
  expect((await exchange.readHistory()).liveDrops).toBe(liveDrops);
});

test('the file list shows a file under the name that the service chose', async () => {
  const { exchange } = await setUp({ server: { behaviour: { uploadNames: 'changed' } } });
  await exchange.upload(fileOf('my report.pdf', 'x'));
  await exchange.upload(fileOf('my report.pdf', 'y'));
  const names = (await exchange.listFiles()).map(({ name }) => name);
  expect(new Set(names).size).toBe(2);
  expect(names).not.toContain('my report.pdf');
});

test('the client accepts unknown and missing fields, and numbers for texts', async () => {
  const { exchange, server } = await setUp();
  const body = JSON.stringify({
    version: 2,
    inbox: [
      { url: 77, createtime: 1700000000, ttl: 7, sender: 'bo@example.org', files: [{ name: 'a', size: 3 }], new: {} },
      { url: 'x' },
      { url: 'y', createtime: 'yesterday', files: null, sender: null },
    ],
    history: [{ create_time: 1700000000 }, {}],
  });
  server.addFault({ operation: 'get_history', kind: 'answer', times: 2, answer: { body } });
  const { entries, liveDrops } = await exchange.readHistory();
  expect((await exchange.readInbox()).items).toEqual([
    { url: '77', sender: 'bo@example.org', createdAt: 1700000000, expiresAfter: '7', files: [{ name: 'a' }] },
    { url: 'x', sender: undefined, createdAt: undefined, expiresAfter: undefined, files: [] },
    { url: 'y', sender: undefined, createdAt: undefined, expiresAfter: undefined, files: [] },
  ]);
  expect(entries).toHaveLength(2);
  expect(liveDrops).toBeUndefined();
});

test.each([
  '{"history":[],"live_drops":"0"}',
  '{"inbox":[],"live_drops":"0"}',
  '{"history":[],"inbox":null}',
  '{"history":[],"inbox":[{"files":"a.pdf"}]}',
  '{"history":[],"inbox":["item"]}',
  '{"history":[{"receivers":{}}],"inbox":[]}',
])('the history %s is reported as a changed format', async (body) => {
  const { exchange, server } = await setUp();
  server.addFault({ operation: 'get_history', kind: 'answer', times: 2, answer: { body } });
  expect(await failureOf(exchange.readHistory())).toMatchObject({ code: 'changed-format' });
});

test.each([
  ['{"status":"OK"}', true],
  ['{"status":{"code":"ok"}}', true],
  ['{"status":{"code":200,"message":"ok"}}', true],
  ['{"status":"ok","extra":1}', true],
  ['\ufeff{"status":"ok"}', true],
  ['{"status":{"code":"error","message":"ok"}}', false],
  ['{"status":{"code":500,"message":"ok"}}', false],
  ['{"status":{"code":0,"message":"ok"}}', true],
  ['{"status":{"code":null,"message":"ok"}}', true],
  ['{"status":{"code":false,"message":"ok"}}', false],
  ['{"status":{"code":["disk full"],"message":"ok"}}', false],
  ['{"status":{"code":{"error":"disk full"},"message":"ok"}}', false],
  ['{"status":"not ok"}', false],
  ['{"status":"okay"}', false],
  ['{"status":{}}', false],
  ['{"status":["ok"]}', false],
  ['{"state":"ok"}', false],
  ['"ok"', false],
  ['ok', false],
])('the answer %s counts as a success: %s', async (body, success) => {
  const { exchange, server } = await setUp();
  server.addFault({ operation: 'receivers_set', kind: 'answer', times: 2, answer: { body } });
  const outcome = exchange.setReceivers([]);
  if (success) await outcome;
  else expect((await failureOf(outcome)).code).toMatch(/^(refused|changed-format)$/);
});

test('signing in follows no redirect', async () => {
  const { exchange, server } = await setUp();
  const other = await setUp();
  const location = `${other.server.url}/${user}/`;
  server.addFault({ operation: 'index', kind: 'answer', answer: { status: 302, headers: { location } } });
  expect(await failureOf(exchange.signIn())).toMatchObject({ code: 'not-the-service', status: 302 });
  expect(other.server.calls).toEqual([]);
});
