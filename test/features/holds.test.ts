import { expect, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { leaveJob } from '../../src/features/account/leave/jobs.ts';
import { releaseHold } from '../../src/features/status/operations.ts';
import { holdOf } from '../../src/features/transfers/holds/repository.ts';
import { sendJob } from '../../src/features/transfers/kinds/send/jobs.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/kinds/send/operations.ts';
import type { JobContext } from '../../src/jobs/index.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { admin, anna, bo, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();
const draft = { files: ['F1'], receivers: ['carl@example.org'] };
const fullDraft = { ...draft, groups: [], message: '', timeToLive: 7 };

/** A transfer whose worker stopped while committing. `kind` decides whether the service sent it. */
async function stopWhileCommitting(kind: 'hang' | 'hang-after') {
  const setup = await setUpFeatures(postgres);
  const { services, server, account, sourceFiles, work } = setup;
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const lost = server.addFault({ operation: 'createdrop', kind });
  const { confirmation: id } = await prepareSend(services, anna, fullDraft);
  await confirmSend(services, anna, id);
  const runner = await work();
  await lost.struck;
  await runner.stop(0);
  return { ...setup, id, accountId: `${server.url}/${account.user}` };
}

/** A transfer whose worker stopped while committing, and whose workspace was deleted and connected again. */
async function deleteWhileCommitting() {
  const setup = await stopWhileCommitting('hang');
  const { services, server } = setup;
  const failure = new Error('too many attempts');
  await leaveJob(services).giveUp({ workspace: 'T1', how: 'uninstall' }, failure, {} as JobContext);
  await connect(services, admin, { baseUrl: server.url, username: user, apiKey });
  return setup;
}

test('a hold whose transfer was deleted with its workspace stops the next transfer', async () => {
  const { services, account, accountId, send, work, store } = await deleteWhileCommitting();
  await work();
  expect(await send(anna, draft)).toMatchObject({ state: 'failed', details: { result: { code: 'held' } } });
  expect(await holdOf(store.pool, accountId)).toMatchObject({ reason: 'unknown' });
  expect(account).toMatchObject({ drops: [], receivers: [] });
  // The records of these uploads were deleted with the workspace, so an admin has to remove the files.
  account.uploads = [];
  await releaseHold(services, admin);
  expect(await send(anna, draft)).toMatchObject({ state: 'sent' });
});

test('an admin can release a hold whose transfer was deleted', async () => {
  const { services, accountId, store } = await deleteWhileCommitting();
  await releaseHold(services, admin);
  expect(await holdOf(store.pool, accountId)).toBeUndefined();
});

test("a difference keeps sending paused even if the transfer's job gives up", async () => {
  const setup = await setUpFeatures(postgres);
  const { services, sourceFiles, store, work, account, server, notifications } = setup;
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const { confirmation: id } = await prepareSend(services, anna, fullDraft);
  await confirmSend(services, anna, id);
  const slow = server.addFault({ operation: 'createdrop', kind: 'delay' });
  const cut = server.addFault({ operation: 'remove_file', kind: 'hang', times: 9 });
  const runner = await work();
  await slow.struck;
  server.behaviour.uploadsAfterDispatch = 'kept';
  account.receivers = [{ email: 'mallory@example.org' }];
  await slow.release();
  await cut.struck;
  await runner.stop(0);
  await sendJob(services).giveUp({ transfer: id }, new Error('too many attempts'), {} as JobContext);
  expect(notifications.alarms).toMatchObject([{ kind: 'difference', transfer: id }]);
  expect(await holdOf(store.pool, `${server.url}/${account.user}`)).toMatchObject({ reason: 'difference' });
});

test('a transfer first reconciles and reports an earlier one whose worker is gone', async () => {
  const { store, work, send, ended, id, account, accountId, notifications } = await stopWhileCommitting('hang-after');
  await store.pool.query(`update graphile_worker._private_jobs set run_at = now() + interval '1 hour'`);
  await work();
  expect(await send(bo, draft)).toMatchObject({ state: 'sent' });
  expect(await ended(id)).toMatchObject({ state: 'sent' });
  expect(notifications.ended[0]).toBe(id);
  expect(account.drops).toHaveLength(2);
  expect(await holdOf(store.pool, accountId)).toBeUndefined();
});

test('giving up while committing leaves the transfer unknown and the account on hold', async () => {
  const { services, store, ended, id, accountId } = await stopWhileCommitting('hang-after');
  await sendJob(services).giveUp({ transfer: id }, new Error('too many attempts'), {} as JobContext);
  expect(await ended(id)).toMatchObject({ state: 'unknown' });
  expect(await holdOf(store.pool, accountId)).toMatchObject({ reason: 'unknown' });
});

test('a transfer committing on a disconnected account is reported as unknown', async () => {
  const { services, store, server, ended, id, accountId, work, account } = await stopWhileCommitting('hang-after');
  server.addAccount({ user: 'other@example.com', apiKey });
  const credentials = await store.credentials.get('T1');
  if (credentials === undefined) throw new Error('T1 is not connected');
  await store.credentials.set('T1', { ...credentials, username: 'other@example.com' });
  server.calls.length = 0;
  await work({ services });
  expect(await ended(id)).toMatchObject({ state: 'unknown' });
  expect(await holdOf(store.pool, accountId)).toMatchObject({ reason: 'unknown' });
  expect(server.calls).toEqual([]);
  expect(account.drops).toHaveLength(1);
});
