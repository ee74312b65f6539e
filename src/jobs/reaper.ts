import { inTransaction, type Store, tryLock } from '../store/index.ts';
import { lockNameOf } from './liveness.ts';

/**
 * Unlocks what a dead worker left locked; the engine itself would only do so after four hours. A worker is dead if it
 * doesn't hold its liveness lock and has claimed nothing for `minAgeSeconds`: one that has just started doesn't always
 * hold its lock yet.
 *
 * Unlocking a live worker by mistake is harmless: another worker only waits, because the queue's lock decides which one
 * runs a job.
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
 * A worker whose job was taken away by mistake can't unlock the queue that it locked with the job, and no other worker
 * would. The engine locks and unlocks a queue together with one of its jobs, so a queue locked without a job is stuck.
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
 * If the answer to a claim was lost with its connection, the worker is alive and doesn't know that it holds the job. If
 * the answer was only slow, the worker finds the job taken away (see task.ts).
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
 * A job that was replaced while it ran, and then failed or lost its worker, isn't retried: its successor does the work.
 * The engine never deletes it. No other job reaches its last attempt (see queue.ts).
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
