import { expect, test } from 'vitest';
import { ExchangeError } from '../../src/exchange/index.ts';
import { failureOf } from '../helpers/exchange.ts';
import { anna, bo, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { loseAnswer, testLateEntries, testLostAnswers } from './lost-answer.ts';

const postgres = startTestPostgres();

testLostAnswers(postgres, { uploadsAfterDispatch: 'kept' });

testLateEntries(postgres, { uploadsAfterDispatch: 'kept' });

testLateEntries(postgres, { uploadsAfterDispatch: 'cleared' });

test('a late history entry of an earlier transfer of the same file raises no alarm', async () => {
  const setup = await setUpFeatures(postgres, { server: { behaviour: { historyLag: 5 } } });
  const { send, sourceFiles, notifications } = setup;
  await setup.startWorker();
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  await send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  expect(await send(bo, { files: ['F1'], recipients: ['dora@example.net'] })).toMatchObject({ state: 'sent' });
  expect(notifications.alarms).toEqual([]);
});

test.each([
  [3, 'probably-not-sent'],
  [4, 'unknown'],
])('if the first %i of six reads of the history fail, the outcome is %s', async (times, expected) => {
  const setup = await setUpFeatures(postgres);
  const { server } = setup;
  const lost = server.addFault({ operation: 'createdrop', kind: 'reset-before' });
  const answer = { status: 503, body: 'no' };
  void lost.triggered.then(() => server.addFault({ operation: 'get_history', kind: 'answer', times, answer }));
  await setup.startWorker();
  setup.sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const { state, progress } = await setup.send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  expect(state === 'failed' ? progress.result?.code : state).toBe(expected);
});

test('if uploads vanish, the outcome is unknown, even if the first cleanup failed', async () => {
  const setup = await setUpFeatures(postgres, { server: { behaviour: { historyLag: 50 } } });
  const { server } = setup;
  const lost = server.addFault({ operation: 'createdrop', kind: 'reset-after' });
  const answer = { status: 503, body: 'no' };
  void lost.triggered.then(() => server.addFault({ operation: 'receivers_set', kind: 'answer', times: 2, answer }));
  await setup.startWorker();
  setup.sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const { state } = await setup.send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  expect({ state, sentCount: setup.account.drops.length }).toEqual({ state: 'unknown', sentCount: 1 });
});

test('if uploads vanished, the outcome is unknown for the next worker too', async () => {
  const setup = await setUpFeatures(postgres, { server: { behaviour: { historyLag: 50 } } });
  const { server, send, sourceFiles, startWorker, store, account } = setup;
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const lost = server.addFault({ operation: 'createdrop', kind: 'reset-after' });
  const stuck = lost.triggered.then(() => server.addFault({ operation: 'get_history', kind: 'hang' }));
  const sending = send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  const runner = await startWorker();
  await (await stuck).triggered;
  await runner.stop(0);
  // Records of missing uploads are deleted after an hour.
  await store.pool.query('delete from dropline.uploads');
  await startWorker();
  expect({ state: (await sending).state, sentCount: account.drops.length }).toEqual({ state: 'unknown', sentCount: 1 });
});

test('a history with fewer entries than before leaves the outcome unknown', async () => {
  const setup = await setUpFeatures(postgres, { server: { behaviour: { uploadsAfterDispatch: 'kept' } } });
  const { server, send, sourceFiles, account } = setup;
  await setup.startWorker();
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  sourceFiles.put('F2', 'map.png', 'the map');
  await send(bo, { files: ['F2'], recipients: ['dora@example.net'] });
  const lost = server.addFault({ operation: 'createdrop', kind: 'reset-after' });
  const answer = { body: JSON.stringify({ history: [], live_drops: '0', inbox: [] }) };
  void lost.triggered.then(() => server.addFault({ operation: 'get_history', kind: 'answer', times: 50, answer }));
  const { state } = await send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  expect({ state, sentCount: account.drops.length }).toEqual({ state: 'unknown', sentCount: 2 });
});

test('a new history entry without file names leaves the outcome unknown', async () => {
  const setup = await setUpFeatures(postgres, {
    server: { behaviour: { uploadsAfterDispatch: 'kept' } },
    wrap: (exchange) => ({
      ...exchange,
      readHistory: ({ pick, ...options } = {}) =>
        exchange.readHistory({
          ...options,
          pick: (entry, bytes) => pick?.(Object.assign(entry, { files: [] }), bytes),
        }),
    }),
  });
  await setup.startWorker();
  expect(await loseAnswer(setup, 'reset-after')).toMatchObject({ reported: 'unknown', sentCount: 1 });
});

test("another client's history entry with the same file leaves the outcome unknown", async () => {
  const setup = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      createDispatch: async () => {
        await exchange.setReceivers((await exchange.readContacts()).local.slice(2));
        await exchange.createDispatch({ expiresAfter: 1, message: 'theirs' });
        throw new ExchangeError('outcome-unknown', 'our call never arrived', { operation: 'createDispatch' });
      },
    }),
  });
  await setup.startWorker();
  setup.sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const { state, progress } = await setup.send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  expect({ state, names: progress.difference?.names }).toEqual({
    state: 'unknown',
    names: ['emil@example.com', 'plan.pdf'],
  });
  expect(setup.notifications.alarms.map(({ kind }) => kind).sort()).toEqual(['difference', 'outcome-unknown']);
  expect(await failureOf(setup.send(bo, { files: ['F1'], recipients: ['dora@example.net'] }))).toMatchObject({
    code: 'held',
  });
});

test('a difference that one read shows is reported, even if all later reads fail', async () => {
  let readsAfterLoss: number | undefined;
  const setup = await setUpFeatures(postgres, {
    server: { behaviour: { uploadsAfterDispatch: 'kept', historyLag: 2 } },
    wrap: (exchange) => ({
      ...exchange,
      createDispatch: async (options) => {
        const { local } = await exchange.readContacts();
        await exchange.setReceivers(local.filter(({ email }) => email === 'emil@example.com'));
        await exchange.createDispatch({ expiresAfter: 1, message: 'theirs' });
        // Each read brings the entry of the other client closer, so it appears one read before ours.
        await exchange.readHistory();
        await exchange.setReceivers(local.filter(({ email }) => email === 'carl@example.org'));
        await exchange.createDispatch(options);
        readsAfterLoss = 0;
        throw new ExchangeError('outcome-unknown', 'the answer was lost', { operation: 'createDispatch' });
      },
      readHistory: async (options) => {
        if (readsAfterLoss === 3)
          setup.server.addFault({ operation: 'get_history', kind: 'answer', times: 50, answer });
        if (readsAfterLoss !== undefined) readsAfterLoss += 1;
        return exchange.readHistory(options);
      },
    }),
  });
  const answer = { status: 503, body: 'no' };
  await setup.startWorker();
  setup.sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const { state, progress } = await setup.send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  expect({ state, names: progress.difference?.names }).toEqual({
    state: 'sent',
    names: ['emil@example.com', 'plan.pdf'],
  });
  expect(setup.notifications.alarms).toMatchObject([{ kind: 'difference' }]);
});

test('if uploads vanish without a history entry, the outcome is unknown', async () => {
  const setup = await setUpFeatures(postgres, { server: { behaviour: { historyLag: 50 } } });
  await setup.startWorker();
  expect(await loseAnswer(setup, 'reset-after')).toMatchObject({ reported: 'unknown', sentCount: 1 });
  expect(setup.notifications.alarms).toMatchObject([{ kind: 'outcome-unknown', person: anna.person }]);
});
