import { createHash, randomUUID } from 'node:crypto';
import { makeWorkerUtils, type WorkerUtils } from 'graphile-worker';
import type pg from 'pg';
import type { Log } from '../lib/log.ts';
import { inTransaction } from '../store/index.ts';
import type { JobKind, JobPayload } from './kinds.ts';
import { createWorkerLogger } from './worker-log.ts';

export interface AddOptions {
  /** Jobs of one queue run one at a time across all processes, under the lock of that name. */
  queue?: string;
  /** A waiting job with this key is replaced. It runs no later than it would have. */
  key?: string;
  runAt?: Date;
  /** The replaced job's time doesn't count, so adding jobs again and again postpones them. */
  isDebounced?: boolean;
  /** The job is committed with this client's transaction. */
  within?: Pick<pg.ClientBase, 'query'>;
}

/** `blocked`: another job of its account runs. `scheduled`: due later, also after a failure. */
const queueStates = ['waiting', 'running', 'blocked', 'scheduled'] as const;
type QueueState = (typeof queueStates)[number];

export type Queue = Awaited<ReturnType<typeof openQueue>>;

/** Names the queue, and its lock, for one kind of an account's jobs. Two of these jobs never run at the same time. */
export function accountQueue(kind: 'contacts' | 'transfers' | 'late-check', account: string): string {
  // An account's name is a URL of any length; a queue's name has at most 128 characters.
  return `${kind}:${createHash('sha256').update(account).digest('base64url')}`;
}

/** Queues deleted by one sweep: few enough to hold the lock only briefly. The next hour's sweep continues. */
const maxSwept = 10_000;

/** Queues jobs to run in the background. */
export async function openQueue(pool: pg.Pool, log?: Log) {
  // This also migrates the engine's schema.
  const utils: WorkerUtils = await makeWorkerUtils({ pgPool: pool, logger: createWorkerLogger(log) });
  return {
    async add<Ids extends Record<string, string>>(
      kind: JobKind<Ids>,
      ids: Ids,
      { queue, key, runAt, isDebounced = false, within = pool }: AddOptions = {},
    ): Promise<void> {
      const payload: JobPayload = { run: randomUUID(), ids: kind.ids.parse(ids) };
      // task.ts decides when to give up, and notifies people. So the engine's own limit must never be reached: it would
      // neither run nor delete a job that was killed or handed over in its last attempt.
      const maxAttempts = kind.attempts + 1000;
      // Jobs without a workspace take one slot per queue: see shares.ts.
      const flags = ids.workspace === undefined ? null : [ids.workspace];
      await within.query(
        `select graphile_worker.add_job($1, payload => $2::json, queue_name => $3, max_attempts => $5, job_key => $6,
           flags => $7, run_at => least(coalesce($4, now()), (
             select run_at from graphile_worker.jobs where key = $6 and locked_at is null and not $8
           )))`,
        [
          kind.name,
          JSON.stringify(payload),
          queue ?? null,
          runAt ?? null,
          maxAttempts,
          key ?? null,
          flags,
          isDebounced,
        ],
      );
    },
    /** If the job with that key waits for a retry or for its `runAt`, it runs as soon as possible. */
    async retryNow(key: string, within: Pick<pg.ClientBase, 'query'> = pool): Promise<void> {
      await within.query(
        `select from graphile_worker.reschedule_jobs(array(
           select id from graphile_worker.jobs where key = $1 and locked_at is null and run_at > now()
         ), run_at => now())`,
        [key],
      );
    },
    /**
     * Deletes the waiting jobs of a removed workspace, except these kinds, and the queues whose names begin like this.
     * False while a job of one runs.
     */
    async deleteWorkspace(
      workspace: string,
      queues: string,
      kept: readonly Pick<JobKind, 'name'>[] = [],
    ): Promise<boolean> {
      await pool.query(
        `select from graphile_worker.complete_jobs(array(
           select id from graphile_worker.jobs
           where locked_at is null and flags ? $1 and task_identifier <> all ($2)
         ))`,
        [workspace, kept.map(({ name }) => name)],
      );
      // Private table: the queues' names contain the workspace's id, and the engine deletes no single queue.
      await pool.query(
        `delete from graphile_worker._private_job_queues queue where starts_with(queue_name, $1) and locked_at is null
           and not exists (select from graphile_worker._private_jobs where job_queue_id = queue.id)`,
        [queues],
      );
      const selectQueues = 'select from graphile_worker._private_job_queues where starts_with(queue_name, $1)';
      return (await pool.query(selectQueues, [queues])).rowCount === 0;
    },
    /** Deletes queues that no job uses, because the engine looks at all queues for each job that it claims. */
    async sweep(): Promise<number> {
      // Private table: the engine's own clean-up deletes queues without the lock below.
      const unused = `locked_at is null
        and not exists (select from graphile_worker._private_jobs where job_queue_id = queue.id)`;
      const { rows } = await pool.query<{ id: number }>(
        `select id from graphile_worker._private_job_queues queue where ${unused} limit ${maxSwept}`,
      );
      if (rows.length === 0) return 0;
      return inTransaction(pool, async (client) => {
        // Adding a job to a queue waits for this lock. Without it, the queue could be deleted before the job is
        // visible, and the job would never run.
        await client.query(`set local lock_timeout = '1s'`);
        await client.query('lock table graphile_worker._private_job_queues in share row exclusive mode');
        const { rowCount } = await client.query(
          `delete from graphile_worker._private_job_queues queue where id = any ($1) and ${unused}`,
          [rows.map(({ id }) => id)],
        );
        return rowCount ?? 0;
      });
    },
    /** How many jobs wait or run, including scheduled ones and those that wait for a retry. */
    async size(): Promise<number> {
      const { rows } = await pool.query<{ count: string }>('select count(*) from graphile_worker.jobs');
      return Number(rows[0]?.count);
    },
    /** How many jobs are in each state, and for how long the oldest of them has been due. */
    async states(): Promise<{ state: QueueState; jobs: number; seconds: number }[]> {
      // Private table: the view of jobs doesn't say whether their queue is busy.
      const { rows } = await pool.query(
        `select state, count(run_at)::int as jobs, coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as seconds
         from unnest($1::text[]) as state left join (
           select run_at, case
             when job.locked_at is not null then 'running'
             when run_at > now() then 'scheduled'
             when queue.locked_at is not null then 'blocked'
             else 'waiting' end as state
           from graphile_worker.jobs as job left join graphile_worker._private_job_queues as queue using (queue_name)
         ) as job using (state) group by state`,
        [queueStates],
      );
      return rows;
    },
    close: async (): Promise<void> => utils.release(),
  };
}
