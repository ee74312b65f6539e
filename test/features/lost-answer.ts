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
  const { state, details } = await send(anna, { files: ['F1'], receivers: ['carl@example.org'], message: 'Hi' });
  fault.remove();
  expect(account.receivers).toEqual([]);
  expect(account.uploads).toEqual([]);
  return {
    reported: state === 'failed' ? details?.result?.code : state,
    sentCount: account.drops.length - before,
    fault,
  };
}

/** Tests lost createdrop answers on a service that keeps or clears uploads after sending. */
export function testLostAnswers(postgres: TestPostgres, behaviour: Pick<Behaviour, 'uploadsAfterDispatch'>): void {
  const suffix = `(uploads ${behaviour.uploadsAfterDispatch})`;

  test(`a transfer whose answer was lost is found in the history ${suffix}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour } });
    await setup.work();
    expect(await loseAnswer(setup, 'reset-after')).toMatchObject({ reported: 'sent', sentCount: 1 });
    expect(setup.notifications.alarms).toEqual([]);
  });

  test(`a failed createdrop is "probably not sent" and can be resent ${suffix}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour } });
    await setup.work();
    expect(await loseAnswer(setup, 'reset-before')).toMatchObject({ reported: 'probably-not-sent', sentCount: 0 });
    expect(await setup.send(anna, { files: ['F1'], receivers: ['carl@example.org'] })).toMatchObject({ state: 'sent' });
    expect(setup.account.drops).toHaveLength(1);
  });

  test(`a createdrop processed late has no files to send ${suffix}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour } });
    await setup.work();
    const { reported, sentCount, fault } = await loseAnswer(setup, 'process-later');
    expect({ reported, sentCount }).toEqual({ reported: 'probably-not-sent', sentCount: 0 });
    await fault.release();
    expect(setup.account.drops).toEqual([]);
  });

  test(`an unanswered transfer isn't matched to an identical one's entry ${suffix}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour } });
    await setup.work();
    const draft = {
      files: [setup.sourceFiles.put('F1', 'plan.pdf', 'the plan')],
      receivers: ['carl@example.org'],
      message: 'Hi',
    };
    expect(await setup.send(bo, draft)).toMatchObject({ state: 'sent' });
    expect(await loseAnswer(setup, 'reset-before')).toMatchObject({ reported: 'probably-not-sent', sentCount: 0 });
    expect(await loseAnswer(setup, 'reset-after')).toMatchObject({ reported: 'sent', sentCount: 1 });
  });
}

/** The same for entries that the history shows late. */
export function testLateEntries(postgres: TestPostgres, behaviour: Pick<Behaviour, 'uploadsAfterDispatch'>): void {
  const suffix = `(uploads ${behaviour.uploadsAfterDispatch})`;

  test.each([1, 2])(`a history entry that appears after %i reads counts as sent ${suffix}`, async (lag) => {
    const setup = await setUpFeatures(postgres, { server: { behaviour: { ...behaviour, historyLag: lag } } });
    await setup.work();
    expect(await loseAnswer(setup, 'reset-after')).toMatchObject({ reported: 'sent', sentCount: 1 });
  });

  test(`a late entry of an identical earlier transfer isn't matched ${suffix}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour: { ...behaviour, historyLag: 5 } } });
    await setup.work();
    const draft = {
      files: [setup.sourceFiles.put('F1', 'plan.pdf', 'the plan')],
      receivers: ['carl@example.org'],
      message: 'Hi',
    };
    expect(await setup.send(bo, draft)).toMatchObject({ state: 'sent' });
    expect(await loseAnswer(setup, 'reset-before')).toMatchObject({ reported: 'unknown', sentCount: 0 });
  });
}
