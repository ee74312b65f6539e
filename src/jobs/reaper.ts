import { inTransaction, type Store, tryLock } from '../store/index.ts';
import { lockNameOf } from './liveness.ts';

/**
 * Unlocks what a dead worker left locked; the engine itself would only do so after four hours. A worker is dead if it
 * doesn't hold its liveness lock and has claimed nothing for `minAgeSeconds`. The age matters because a worker that has
 * just started might not hold its lock yet.
 *
 * Unlocking a live worker by mistake is harmless: the queue's lock decides which worker runs a job, so a second worker
 * only waits.
 *
 * Also unlocks queues that are locked without a job, and deletes replaced jobs. Resolves with the dead workers.
 */
export async function reap(store: Store, minAgeSeconds: number): Promise<string[]> {
  // Private table: the engine's view of jobs doesn't show who locks a queue.
  const { rows } = await store.pool.query<{ worker: string }>(
    `select locked_by as worker from (
       select locked_by, locked_at from graphile_worker.jobs where locked_by is not null
       union all
       select locked_by, locked_at from graphile_worker._private_job_queues where locked_by is not null
     ) as held
     group by locked_by having max(locked_at) < now() - make_interval(secs => $1)`,
    [minAgeSeconds],
  );
  const unlocked: string[] = [];
  await unlockQueuesWithoutJob(store, minAgeSeconds);
  await deleteReplaced(store);
  for (const { worker } of rows) if (await unlockIfDead(store, worker)) unlocked.push(worker);
  return unlocked;
}

/**
 * A worker whose job was taken away by mistake can't unlock the queue that it locked with the job, and no other worker
 * would. The engine locks and unlocks a queue together with one of its jobs, so a queue locked without a job is stuck.
 */
async function unlockQueuesWithoutJob({ pool }: Store, minAgeSeconds: number): Promise<void> {
  // Private tables: the engine's own function unlocks all jobs and queues of a worker, not a single queue.
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
 * Unlocks jobs that a live worker doesn't know it holds, because the answer to its claim was lost with the connection.
 * If the answer was only slow, the worker notices that it has lost the claim (see task.ts).
 */
export async function unlockForgotten(
  { pool }: Store,
  worker: string,
  knownJobs: readonly string[],
  minAgeSeconds: number,
): Promise<void> {
  // Private table: the engine's own function unlocks all jobs of a worker, and this worker is still running others.
  await pool.query(
    `update graphile_worker._private_jobs set locked_by = null, locked_at = null
     where locked_by = $1 and locked_at < now() - make_interval(secs => $2) and id <> all ($3::bigint[])`,
    [worker, minAgeSeconds, knownJobs],
  );
}

/**
 * Deletes jobs that were replaced while they ran, and then failed or lost their worker. They aren't retried, because
 * their successor does the work, and the engine never deletes them. No other job reaches its last attempt (see
 * queue.ts).
 */
async function deleteReplaced({ pool }: Store): Promise<void> {
  await pool.query(
    `select from graphile_worker.complete_jobs(array(
       select id from graphile_worker.jobs where locked_at is null and key is null and attempts >= max_attempts
     ))`,
  );
}

async function unlockIfDead({ pool }: Store, worker: string): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    if (!(await tryLock(client, lockNameOf(worker)))) return false;
    await client.query('select graphile_worker.force_unlock_workers(array[$1::text])', [worker]);
    return true;
  });
}
