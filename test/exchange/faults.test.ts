import { expect, test } from 'vitest';
import { failureOf, fileOf, setUp } from '../helpers/exchange.ts';
import { type Call, calls, commits, prepare } from '../helpers/operations.ts';
import { testGateways, testHangs, testResets } from './faults.ts';
import { callsWithAnswers, expectShortError, garbage } from './garbage.ts';

// The deep tier tests the other kinds.
testResets(['reset-after']);
testHangs(['hang-after']);
testGateways([502]);

test.each(calls)('$name can be aborted while the service does not answer', async (call) => {
  const setup = await setUp();
  await prepare(setup);
  const hang = setup.server.addFault({ operation: call.endpoint, kind: 'hang' });
  const controller = new AbortController();
  const aborted = failureOf(call.run(setup.exchange, controller.signal));
  await hang.triggered;
  controller.abort(new Error('given up'));
  const failure = await aborted;
  if (commits.includes(call))
    expect(failure).toMatchObject({ code: 'outcome-unknown', cause: controller.signal.reason });
  else expect(failure).toBe(controller.signal.reason);
});

test.each(calls)('$name makes no request when aborted before it starts', async (call) => {
  const setup = await setUp();
  await prepare(setup);
  expect(await failureOf(call.run(setup.exchange, AbortSignal.abort(new Error('given up'))))).toMatchObject({
    message: 'given up',
  });
  expect(setup.server.calls).toEqual([]);
});

/** Each kind of answer with one call, and each call at least once. The deep tier tests all pairs. */
const pairs = garbage.map(([kind, answer], index) => ({
  kind,
  answer,
  call: callsWithAnswers[index % callsWithAnswers.length] as Call,
}));

test.each(pairs)('if the service answers $kind, $call.name fails with a short ExchangeError', ({ call, answer }) =>
  expectShortError(call, answer),
);

test.each(garbage)('if the service answers %s, signing in fails with a documented error code', async (_, answer) => {
  const { exchange, server } = await setUp();
  server.addFault({ operation: 'index', kind: 'answer', answer });
  expect((await failureOf(exchange.signIn())).code).toMatch(/^(not-the-service|refused|changed-format)$/);
});

test('an answer over the size limit fails as changed-format', async () => {
  const { exchange, server } = await setUp({
    client: { limits: { statusBytes: 1000, filesBytes: 1000, entryBytes: 1000 } },
  });
  const body = `{"local":[${'"x",'.repeat(1000)}`;
  server.addFault({ operation: 'get_files', kind: 'answer', answer: { body } });
  expect(await failureOf(exchange.listFiles())).toMatchObject({ code: 'changed-format' });
  server.addFault({ operation: 'receivers_set', kind: 'answer', times: 2, answer: { body } });
  expect(await failureOf(exchange.setReceivers([]))).toMatchObject({ code: 'changed-format' });
});

test('a call that exceeds its total time limit times out', async () => {
  const { server, client } = await setUp();
  const slow = server.addFault({ operation: 'get_history', kind: 'delay' });
  const failure = failureOf(client({ limits: { callMs: 50 } }).readHistory());
  expect(await failure).toMatchObject({ code: 'timeout', operation: 'readHistory' });
  await slow.release();
});

test('calls to a stopped service fail as unreachable, never as outcome-unknown', async () => {
  const setup = await setUp();
  await prepare(setup);
  await setup.server.close();
  await failureOf(setup.exchange.readContacts()); // uses up the idle connection, which the service has closed
  for (const call of calls) {
    expect(await failureOf(call.run(setup.exchange))).toMatchObject({ code: 'unreachable', operation: call.name });
  }
});

test('every send and grant uses a separate connection', async () => {
  const setup = await setUp();
  await prepare(setup);
  for (const call of [...commits, ...commits]) {
    await setup.exchange.listFiles();
    await setup.exchange.upload(fileOf('x', ''));
    await setup.exchange.setReceivers([]);
    setup.account.receivers.push({ email: 'anna@example.org' });
    await call.run(setup.exchange);
  }
  const used = (operations: string[]) =>
    setup.server.calls.filter(({ operation }) => operations.includes(operation)).map(({ connection }) => connection);
  const own = used(['createdrop', 'givedrop']);
  expect(new Set(own).size).toBe(4);
  expect(used(['get_files', 'upload', 'receivers_set']).filter((connection) => own.includes(connection))).toEqual([]);
});
