import { expect, test } from 'vitest';
import type { Behaviour, FaultKind } from '../../src/sandbox/exchange/index.ts';
import { anna, bo, type FeaturesSetup, setUpFeatures } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** What people were told of a dispatch whose answer was lost, beside what became of it. */
export async function loseAnswer(setup: FeaturesSetup, kind: FaultKind, times = 1) {
  const { server, send, shelf, account } = setup;
  shelf.put('F1', 'plan.pdf', 'the plan');
  const fault = server.addFault({ operation: 'createdrop', kind, times });
  const before = account.drops.length;
  const { state, details } = await send(anna, { files: ['F1'], receivers: ['carl@example.org'], message: 'Hi' });
  fault.remove();
  expect(account.receivers).toEqual([]);
  expect(account.uploads).toEqual([]);
  return { told: state === 'failed' ? details?.result?.code : state, made: account.drops.length - before, fault };
}

/** A createdrop whose answer is lost, on a service that keeps uploads after it or clears them. */
export function testLostAnswers(postgres: TestPostgres, behaviour: Pick<Behaviour, 'uploadsAfterDispatch'>): void {
  const where = `where uploads are ${behaviour.uploadsAfterDispatch} after a dispatch`;

  test(`a drop that was made without an answer is found in the history, ${where}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour } });
    await setup.work();
    expect(await loseAnswer(setup, 'reset-after')).toMatchObject({ told: 'sent', made: 1 });
    expect(setup.heard.alarms).toEqual([]);
  });

  test(`a drop that was not made is told as probably not sent, and can be sent again, ${where}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour } });
    await setup.work();
    expect(await loseAnswer(setup, 'reset-before')).toMatchObject({ told: 'probably-not-sent', made: 0 });
    expect(await setup.send(anna, { files: ['F1'], receivers: ['carl@example.org'] })).toMatchObject({ state: 'sent' });
    expect(setup.account.drops).toHaveLength(1);
  });

  test(`a drop that is made late, after it was told as probably not sent, finds nobody and nothing to send, ${where}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour } });
    await setup.work();
    const { told, made, fault } = await loseAnswer(setup, 'process-later');
    expect({ told, made }).toEqual({ told: 'probably-not-sent', made: 0 });
    await fault.release();
    expect(setup.account.drops).toEqual([]);
  });

  test.each([1, 2])(`a drop that only the reading after %i others shows is told as sent, ${where}`, async (lag) => {
    const setup = await setUpFeatures(postgres, { server: { behaviour: { ...behaviour, historyLag: lag } } });
    await setup.work();
    expect(await loseAnswer(setup, 'reset-after')).toMatchObject({ told: 'sent', made: 1 });
  });

  test(`of the same sent twice within a minute, one lost answer does not take the other's drop for its own, ${where}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour } });
    await setup.work();
    const wish = {
      files: [setup.shelf.put('F1', 'plan.pdf', 'the plan')],
      receivers: ['carl@example.org'],
      message: 'Hi',
    };
    expect(await setup.send(bo, wish)).toMatchObject({ state: 'sent' });
    expect(await loseAnswer(setup, 'reset-before')).toMatchObject({ told: 'probably-not-sent', made: 0 });
    expect(await loseAnswer(setup, 'reset-after')).toMatchObject({ told: 'sent', made: 1 });
  });

  test(`where the history is late with the first of two, the second is not told as sent by mistake, ${where}`, async () => {
    const setup = await setUpFeatures(postgres, { server: { behaviour: { ...behaviour, historyLag: 5 } } });
    await setup.work();
    const wish = {
      files: [setup.shelf.put('F1', 'plan.pdf', 'the plan')],
      receivers: ['carl@example.org'],
      message: 'Hi',
    };
    expect(await setup.send(bo, wish)).toMatchObject({ state: 'sent' });
    expect(await loseAnswer(setup, 'reset-before')).toMatchObject({ told: 'unknown', made: 0 });
  });
}
