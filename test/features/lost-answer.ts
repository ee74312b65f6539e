import { expect, test } from 'vitest';
import type { Behaviour, FaultKind } from '../../src/sandbox/exchange/index.ts';
import { anna, bo, type FeaturesSetup, setUpFeatures } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** Sends a transfer whose answer is lost. Returns the reported outcome and the number of transfers that were sent. */
export async function loseAnswer(setup: FeaturesSetup, kind: FaultKind, times = 1) {
  const { server, send, sourceFiles, account } = setup;
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const fault = server.addFault({ operation: 'createdrop', kind, times });
  const before = account.drops.length;
  const { state, progress } = await send(anna, { files: ['F1'], recipients: ['carl@example.org'], message: 'Hi' });
  fault.remove();
  expect(account.receivers).toEqual([]);
  expect(account.uploads).toEqual([]);
  return {
    reported: state === 'failed' ? progress.result?.code : state,
    sentCount: account.drops.length - before,
    fault,
  };
}

/** Tests lost createdrop answers on a service that keeps or clears uploads after sending. */
export function testLostAnswers(postgres: TestPostgres, behaviour: Pick<Behaviour, 'uploadsAfterDispatch'>): void {
  const suffix = `(uploads ${behaviour.uploadsAfterDispatch})`;

  test(`a transfer whose answer was lost is found in the history ${suffix}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour } });
    await setup.startWorker();
    expect(await loseAnswer(setup, 'reset-after')).toMatchObject({ reported: 'sent', sentCount: 1 });
    expect(setup.notifications.alarms).toEqual([]);
  });

  test(`a lost createdrop is "probably not sent" and can be resent ${suffix}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour } });
    await setup.startWorker();
    expect(await loseAnswer(setup, 'reset-before')).toMatchObject({ reported: 'probably-not-sent', sentCount: 0 });
    expect(await setup.send(anna, { files: ['F1'], recipients: ['carl@example.org'] })).toMatchObject({
      state: 'sent',
    });
    expect(setup.account.drops).toHaveLength(1);
  });

  test(`a createdrop processed late has no files to send ${suffix}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour } });
    await setup.startWorker();
    const { reported, sentCount, fault } = await loseAnswer(setup, 'process-later');
    expect({ reported, sentCount }).toEqual({ reported: 'probably-not-sent', sentCount: 0 });
    await fault.release();
    expect(setup.account.drops).toEqual([]);
  });

  test(`an unanswered transfer isn't matched to the entry of an identical one ${suffix}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour } });
    await setup.startWorker();
    const draft = {
      files: [setup.sourceFiles.put('F1', 'plan.pdf', 'the plan')],
      recipients: ['carl@example.org'],
      message: 'Hi',
    };
    expect(await setup.send(bo, draft)).toMatchObject({ state: 'sent' });
    expect(await loseAnswer(setup, 'reset-before')).toMatchObject({ reported: 'probably-not-sent', sentCount: 0 });
    expect(await loseAnswer(setup, 'reset-after')).toMatchObject({ reported: 'sent', sentCount: 1 });
  });
}

/** Tests lost createdrop answers on a service whose history shows new entries late. */
export function testLateEntries(postgres: TestPostgres, behaviour: Pick<Behaviour, 'uploadsAfterDispatch'>): void {
  const suffix = `(uploads ${behaviour.uploadsAfterDispatch})`;

  test.each([1, 2])(`a transfer counts as sent if its entry appears after %i reads ${suffix}`, async (lag) => {
    const setup = await setUpFeatures(postgres, { server: { behaviour: { ...behaviour, historyLag: lag } } });
    await setup.startWorker();
    expect(await loseAnswer(setup, 'reset-after')).toMatchObject({ reported: 'sent', sentCount: 1 });
  });

  test(`a late history entry of an identical transfer isn't taken for ours ${suffix}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour: { ...behaviour, historyLag: 5 } } });
    await setup.startWorker();
    const draft = {
      files: [setup.sourceFiles.put('F1', 'plan.pdf', 'the plan')],
      recipients: ['carl@example.org'],
      message: 'Hi',
    };
    expect(await setup.send(bo, draft)).toMatchObject({ state: 'sent' });
    expect(await loseAnswer(setup, 'reset-before')).toMatchObject({ reported: 'unknown', sentCount: 0 });
  });
}
