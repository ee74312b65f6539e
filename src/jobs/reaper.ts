import { inTransaction, type Store, tryLock } from '../store/index.ts';
import { lockNameOf } from './liveness.ts';

/**
 * Frees what a dead worker left locked; the engine itself would do so after four hours. A worker is dead if its sign of
 * life is gone and it has taken nothing for `minAgeSeconds`: one that has just started may not have put its sign up yet.
 *
 * A reaper that errs only makes another worker wait: the lock of a queue decides who works, and no attempt of a job goes on
 * that is not the one which holds it.
 */
export async function reap(store: Store, minAgeSeconds: number): Promise<string[]> {
  const { rows } = await store.pool.query<{ worker: string }>(
    `select locked_by as worker from (
       select locked_by, locked_at from graphile_worker._private_jobs where locked_by is not null
       union all
       select locked_by, locked_at from graphile_worker._private_job_queues where locked_by is not null
     ) as held
     group by locked_by having max(locked_at) < now() - make_interval(secs => $1)`,
    [minAgeSeconds],
  );
  const freed: string[] = [];
  await freeQueuesWithoutJob(store, minAgeSeconds);
  await dropReplaced(store);
  for (const { worker } of rows) if (await freeIfDead(store, worker)) freed.push(worker);
  return freed;
}

/**
 * A worker whose job was taken from it by mistake cannot give back the queue that came with it, and nobody else would.
 * The engine takes and leaves a queue together with a job of it, so one that is held without a job is such a one.
 */
async function freeQueuesWithoutJob({ pool }: Store, minAgeSeconds: number): Promise<void> {
  await pool.query(
    `update graphile_worker._private_job_queues as queue set locked_by = null, locked_at = null
     where locked_at < now() - make_interval(secs => $1) and not exists (
       select from graphile_worker._private_jobs as job
       where job.job_queue_id = queue.id and job.locked_by = queue.locked_by
     )`,
    [minAgeSeconds],
  );
}

/**
 * A claim whose answer was lost with its connection is nobody's: the worker that holds it lives and knows nothing of it.
 * One that errs here, because the answer was only slow, finds the job taken away (see task.ts).
 */
export async function freeForgotten(
  { pool }: Store,
  worker: string,
  known: readonly string[],
  minAgeSeconds: number,
): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs set locked_by = null, locked_at = null
     where locked_by = $1 and locked_at < now() - make_interval(secs => $2) and id <> all ($3::bigint[])`,
    [worker, minAgeSeconds, known],
  );
}

/**
 * A job that was replaced while it ran, and failed or lost its worker, is not tried again: its successor does the work.
 * The engine lets it lie. No other job comes to its last attempt (see queue.ts).
 */
async function dropReplaced({ pool }: Store): Promise<void> {
  await pool.query(
    'delete from graphile_worker._private_jobs where locked_at is null and key is null and attempts >= max_attempts',
  );
}

async function freeIfDead({ pool }: Store, worker: string): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    if (!(await tryLock(client, lockNameOf(worker)))) return false;
    await client.query('select graphile_worker.force_unlock_workers(array[$1::text])', [worker]);
    return true;
  });
}
