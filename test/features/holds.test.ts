import { expect, test } from 'vitest';
import { releaseHold } from '../../src/features/status/operations.ts';
import { holdOf } from '../../src/features/transfers/holds/repository.ts';
import { sendJob } from '../../src/features/transfers/kinds/send/jobs.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/kinds/send/operations.ts';
import type { JobContext } from '../../src/jobs/index.ts';
import { admin, anna, bo, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { deleteWhileCommitting, draft, fullDraft, stopWhileCommitting } from './holds.ts';

const postgres = startTestPostgres();

test('a hold whose transfer was deleted with its workspace stops the next transfer', async () => {
  const { services, account, accountId, send, work, store } = await deleteWhileCommitting(postgres);
  await work();
  expect(await send(anna, draft)).toMatchObject({ state: 'failed', details: { result: { code: 'held' } } });
  expect(await holdOf(store.pool, accountId)).toMatchObject({ reason: 'unknown' });
  expect(account).toMatchObject({ drops: [], receivers: [] });
  // The records of these uploads were deleted with the workspace, so an admin has to remove the files.
  account.uploads = [];
  await releaseHold(services, admin);
  expect(await send(anna, draft)).toMatchObject({ state: 'sent' });
});

test('a difference pauses sending even if the job of the transfer gives up', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, sourceFiles, store, work, account, server, notifications } = setup;
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const { confirmation: id } = await prepareSend(services, anna, fullDraft);
  await confirmSend(services, anna, id);
  const slow = server.addFault({ operation: 'createdrop', kind: 'delay' });
  const cut = server.addFault({ operation: 'remove_file', kind: 'hang', times: 9 });
  const runner = await work();
  await slow.triggered;
  server.behaviour.uploadsAfterDispatch = 'kept';
  account.receivers = [{ email: 'mallory@example.org' }];
  await slow.release();
  await cut.triggered;
  await runner.stop(0);
  await sendJob(services).giveUp({ transfer: id }, new Error('too many attempts'), {} as JobContext);
  expect(notifications.alarms).toMatchObject([{ kind: 'difference', transfer: id }]);
  expect(await holdOf(store.pool, `${server.url}/${account.user}`)).toMatchObject({ reason: 'difference' });
});

test('a transfer first reconciles an earlier one whose worker has stopped', async () => {
  const { store, work, send, ended, id, account, accountId, notifications } = await stopWhileCommitting(
    postgres,
    'hang-after',
  );
  await store.pool.query(`update graphile_worker._private_jobs set run_at = now() + interval '1 hour'`);
  await work();
  expect(await send(bo, draft)).toMatchObject({ state: 'sent' });
  expect(await ended(id)).toMatchObject({ state: 'sent' });
  expect(notifications.ended[0]).toBe(id);
  expect(account.drops).toHaveLength(2);
  expect(await holdOf(store.pool, accountId)).toBeUndefined();
});
