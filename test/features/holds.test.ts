import { expect, test } from 'vitest';
import { releaseHold } from '../../src/features/status/operations.ts';
import { holdOf } from '../../src/features/transfers/holds/repository.ts';
import { transferJob } from '../../src/features/transfers/lifecycle/jobs.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import type { JobContext } from '../../src/jobs/index.ts';
import { admin, anna, bo, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { deleteWhileCommitting, draft, fullDraft, stopWhileCommitting } from './holds.ts';

const postgres = startTestPostgres();

test('a hold still stops the next transfer after its own transfer was deleted', async () => {
  const { services, account, accountId, send, startWorker, store } = await deleteWhileCommitting(postgres);
  await startWorker();
  expect(await send(anna, draft)).toMatchObject({ state: 'failed', progress: { result: { code: 'held' } } });
  expect(await holdOf(store.pool, accountId)).toMatchObject({ reason: 'unknown' });
  expect(account).toMatchObject({ drops: [], receivers: [] });
  // The records of these uploads were deleted with the workspace, so an admin has to remove the files.
  account.uploads = [];
  await releaseHold(services, admin);
  expect(await send(anna, draft)).toMatchObject({ state: 'sent' });
});

test('if a transfer went to wrong recipients, a hold is set even if the job gives up', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, sourceFiles, store, startWorker, account, server, notifications } = setup;
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const { reviewId: id } = await prepareSend(services, anna, fullDraft);
  await confirmSend(services, anna, id);
  const slow = server.addFault({ operation: 'createdrop', kind: 'delay' });
  const hanging = server.addFault({ operation: 'remove_file', kind: 'hang', times: 9 });
  const runner = await startWorker();
  await slow.triggered;
  server.behaviour.uploadsAfterDispatch = 'kept';
  account.receivers = [{ email: 'mallory@example.org' }];
  await slow.release();
  await hanging.triggered;
  await runner.stop(0);
  await transferJob(services, services.kinds.send).giveUp(
    { transfer: id },
    new Error('too many attempts'),
    {} as JobContext,
  );
  expect(notifications.alarms).toMatchObject([{ kind: 'difference', transfer: id }]);
  expect(await holdOf(store.pool, `${server.url}/${account.user}`)).toMatchObject({ reason: 'difference' });
});

test('a transfer first reconciles an earlier one whose worker has stopped', async () => {
  const { store, startWorker, send, untilEnded, id, account, accountId, notifications } = await stopWhileCommitting(
    postgres,
    'hang-after',
  );
  await store.pool.query(`update graphile_worker._private_jobs set run_at = now() + interval '1 hour'`);
  await startWorker();
  expect(await send(bo, draft)).toMatchObject({ state: 'sent' });
  expect(await untilEnded(id)).toMatchObject({ state: 'sent' });
  expect(notifications.ended[0]).toBe(id);
  expect(account.drops).toHaveLength(2);
  expect(await holdOf(store.pool, accountId)).toBeUndefined();
});
