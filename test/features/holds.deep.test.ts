import { expect, test } from 'vitest';
import { releaseHold } from '../../src/features/status/operations.ts';
import { holdOf } from '../../src/features/transfers/holds/repository.ts';
import { transferJob } from '../../src/features/transfers/lifecycle/jobs.ts';
import type { JobContext } from '../../src/jobs/index.ts';
import { apiKey } from '../helpers/exchange.ts';
import { admin } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { deleteWhileCommitting, stopWhileCommitting } from './holds.ts';

const postgres = startTestPostgres();

test('an admin can release a hold whose transfer was deleted', async () => {
  const { services, accountId, store } = await deleteWhileCommitting(postgres);
  await releaseHold(services, admin);
  expect(await holdOf(store.pool, accountId)).toBeUndefined();
});

test('if the job gives up, a committing transfer becomes unknown and sets a hold', async () => {
  const { services, store, untilEnded, id, accountId } = await stopWhileCommitting(postgres, 'hang-after');
  await transferJob(services, services.kinds.send).giveUp(
    { transfer: id },
    new Error('too many attempts'),
    {} as JobContext,
  );
  expect(await untilEnded(id)).toMatchObject({ state: 'unknown' });
  expect(await holdOf(store.pool, accountId)).toMatchObject({ reason: 'unknown' });
});

test('a committing transfer becomes unknown if another account is connected', async () => {
  const { services, store, server, untilEnded, id, accountId, startWorker, account } = await stopWhileCommitting(
    postgres,
    'hang-after',
  );
  server.addAccount({ user: 'other@example.com', apiKey });
  const credentials = await store.credentials.get({ workspace: 'T1' });
  if (credentials === undefined) throw new Error('T1 is not connected');
  await store.credentials.set('T1', { ...credentials, username: 'other@example.com' }, { replaced: accountId });
  server.calls.length = 0;
  await startWorker({ services });
  expect(await untilEnded(id)).toMatchObject({ state: 'unknown' });
  expect(await holdOf(store.pool, accountId)).toMatchObject({ reason: 'unknown' });
  expect(server.calls).toEqual([]);
  expect(account.drops).toHaveLength(1);
});
