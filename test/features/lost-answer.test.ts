import { expect, test } from 'vitest';
import { releaseHold } from '../../src/features/status/operations.ts';
import { failureOf } from '../helpers/exchange.ts';
import { admin, anna, bo, quickTiming, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { loseAnswer, testLostAnswers } from './lost-answer.ts';

const postgres = startTestPostgres();

testLostAnswers(postgres, { uploadsAfterDispatch: 'cleared' });

test('recipients are cleared before uploading, so a late createdrop sends to no one', async () => {
  let afterUpload = async () => {};
  const setup = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      upload: async (source, options) => {
        await exchange.upload(source, options);
        await afterUpload();
      },
    }),
  });
  const { server, services, send, sourceFiles, account } = setup;
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  sourceFiles.put('F2', 'map.png', 'the map');
  const late = server.addFault({ operation: 'createdrop', kind: 'process-later' });
  const answer = { status: 503, body: 'no' };
  const broken = late.triggered.then(() =>
    server.addFault({ operation: 'receivers_set', kind: 'answer', times: 99, answer }),
  );
  await setup.startWorker();
  expect(await send(anna, { files: ['F1'], recipients: ['carl@example.org'] })).toMatchObject({ state: 'unknown' });
  (await broken).remove();
  await releaseHold(services, admin);
  expect(account.receivers).toMatchObject([{ email: 'carl@example.org' }]);
  afterUpload = () => late.release();
  expect(await send(bo, { files: ['F2'], recipients: ['dora@example.net'] })).toMatchObject({ state: 'sent' });
  expect(account.drops.map(({ receivers: recipients }) => recipients.map(({ email }) => email))).toEqual([
    ['dora@example.net'],
  ]);
});

test('an unreadable history puts the account on hold until an admin releases it', async () => {
  const setup = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      createDispatch(parameters, options) {
        const answer = { status: 500, body: 'no' };
        if (setup.account.drops.length === 0) {
          setup.server.addFault({ operation: 'get_history', kind: 'answer', times: 12, answer });
        }
        return exchange.createDispatch(parameters, options);
      },
    }),
  });
  const { services, send, account } = setup;
  await setup.startWorker();
  expect(await loseAnswer(setup, 'reset-after')).toMatchObject({ reported: 'unknown', sentCount: 1 });
  expect(await failureOf(send(bo, { files: ['F1'], recipients: ['dora@example.net'] }))).toMatchObject({
    code: 'held',
  });
  expect(await failureOf(releaseHold(services, bo))).toMatchObject({ code: 'not-allowed' });
  await releaseHold(services, admin);
  expect(await send(bo, { files: ['F1'], recipients: ['dora@example.net'] })).toMatchObject({ state: 'sent' });
  expect(account.drops.map(({ receivers: recipients }) => recipients.map(({ email }) => email))).toEqual([
    ['carl@example.org'],
    ['dora@example.net'],
  ]);
});

test("a service that can't be reached is reported immediately, without a hold", async () => {
  const setup = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      createDispatch: async (parameters, options) => {
        // The service goes down right before this call.
        await setup.server.close();
        return exchange.createDispatch(parameters, options);
      },
    }),
  });
  await setup.startWorker();
  setup.sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const { state, progress } = await setup.send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  expect({ state, code: progress.result?.code }).toEqual({ state: 'failed', code: 'unreachable' });
  const { rows } = await setup.store.pool.query('select from dropline.holds');
  expect(rows).toEqual([]);
});

test('in production, reconciling reads the history for at least a minute', async () => {
  const { defaultTiming } = await import('../../src/features/common/services.ts');
  expect(defaultTiming.reconcilePauseMs * 2).toBeGreaterThanOrEqual(60_000);
  expect(quickTiming.reconcilePauseMs).toBeLessThan(defaultTiming.reconcilePauseMs);
});
