import { expect, test } from 'vitest';
import { makeContact } from '../../src/exchange/index.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { anna, bo, setUpFeatures, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { lateHistory, startWorker } from './late-history.ts';

const postgres = startTestPostgres();

test('a transfer that appears late in the history causes no alarm', async () => {
  const setup = await setUpFeatures(postgres, { server: lateHistory });
  const { send, sourceFiles, store, notifications, untilDrained } = setup;
  await startWorker(setup);
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const sent = await send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  expect(sent).toMatchObject({ state: 'sent', isSeen: false });
  await until(
    async () => (await transfersIn(store).read(sent.id))?.isSeen || undefined,
    'the history to show the transfer',
  );
  await untilDrained();
  expect(notifications.alarms).toEqual([]);
  // The transfer is reported when it ends and when the history shows it, and a third time if both happen at once.
  expect(notifications.ended.length).toBeGreaterThanOrEqual(2);
  expect(new Set(notifications.ended)).toEqual(new Set([sent.id]));
});

test('a late history entry with another recipient raises an alarm and sets a hold', async () => {
  const stranger = makeContact({ email: 'mallory@example.org', number: '46799999999' });
  const setup = await setUpFeatures(postgres, {
    server: lateHistory,
    wrap: (exchange) => ({
      ...exchange,
      async createDispatch(parameters) {
        await exchange.setReceivers([stranger]);
        return exchange.createDispatch(parameters);
      },
    }),
  });
  const { send, sourceFiles, notifications, untilDrained, store } = setup;
  await startWorker(setup);
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const sent = await send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  expect(sent).toMatchObject({ state: 'sent', isSeen: false });
  await until(() => notifications.alarms[0], 'an alarm');
  expect(notifications.alarms).toMatchObject([{ kind: 'difference', transfer: sent.id, person: anna.person }]);
  await untilDrained();
  expect(await store.audit.list('T1')).toContainEqual(
    expect.objectContaining({ action: 'send', outcome: 'difference', reference: sent.id }),
  );
  await expect(send(bo, { files: ['F1'], recipients: ['dora@example.net'] })).rejects.toMatchObject({ code: 'held' });
});
