import { createHash, randomUUID } from 'node:crypto';
import { makeWorkerUtils, type WorkerUtils } from 'graphile-worker';
import type pg from 'pg';
import { inTransaction } from '../store/index.ts';
import type { JobKind, JobPayload } from './kinds.ts';
import { createWorkerLogger, type JobLog } from './worker-log.ts';

export interface AddOptions {
  /** Jobs of one queue run one after the other, under the lock of that name, whichever process runs them. */
  queue?: string | undefined;
  /** A job of this key that waits is replaced, not doubled. */
  key?: string | undefined;
  runAt?: Date | undefined;
  /** The job is there if and when this client's transaction is. */
  within?: pg.ClientBase | undefined;
}

/** Where work is put that a person need not wait for. */
export interface Queue {
  add<Ids extends Record<string, string>>(kind: JobKind<Ids>, ids: Ids, options?: AddOptions): Promise<void>;
  /** The job of that key, if it waits to be tried again, is tried as soon as its turn comes. */
  hurry(key: string): Promise<void>;
  /** Deletes the waiting jobs of a removed workspace and the queue named after it. False while one of its jobs runs. */
  forget(workspace: string, queue: string): Promise<boolean>;
  /** Deletes queues that no job uses: the engine looks at all of them for each job that it takes. */
  sweep(): Promise<number>;
  /** How many jobs wait or run, those of the future and those that wait to be tried again included. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/** The queue of an account's work of one kind, which is also the name of the lock: two of them never run at once. */
export function accountQueue(kind: 'contacts' | 'outgoing' | 'late-look', account: string): string {
  // An account's name is an address of any length; a queue's has 128 characters.
  return `${kind}:${createHash('sha256').update(account).digest('base64url')}`;
}

/** So few that others hardly wait for the lock; the next hour goes on. */
const mostSwept = 10_000;

export async function openQueue(pool: pg.Pool, log?: JobLog): Promise<Queue> {
  const utils: WorkerUtils = await makeWorkerUtils({ pgPool: pool, logger: createWorkerLogger(log) });
  await utils.migrate();
  return {
    async add(kind, ids, { queue, key, runAt, within = pool } = {}) {
      const payload: JobPayload = { run: randomUUID(), ids: kind.ids.parse(ids) };
      // When to give up is decided in task.ts, which tells somebody. The engine alone would let a job lie for ever that
      // was killed or handed over in its last attempt.
      const maxAttempts = kind.attempts + 1000;
      // Without one, its queue sees to it that it takes one place: see shares.ts.
      const flags = ids.workspace === undefined ? null : [ids.workspace];
      await within.query(
        `select graphile_worker.add_job($1, payload => $2::json, queue_name => $3, run_at => $4, max_attempts => $5,
           job_key => $6, flags => $7)`,
        [kind.name, JSON.stringify(payload), queue ?? null, runAt ?? null, maxAttempts, key ?? null, flags],
      );
    },
    async hurry(key) {
      await pool.query(
        'update graphile_worker._private_jobs set run_at = now() where key = $1 and locked_at is null and run_at > now()',
        [key],
      );
    },
    async forget(workspace, queue) {
      await pool.query(
        `delete from graphile_worker._private_jobs where locked_at is null and payload -> 'ids' ->> 'workspace' = $1`,
        [workspace],
      );
      await pool.query(
        `delete from graphile_worker._private_job_queues queue where queue_name = $1 and locked_at is null
           and not exists (select from graphile_worker._private_jobs where job_queue_id = queue.id)`,
        [queue],
      );
      const left = 'select from graphile_worker._private_job_queues where queue_name = $1';
      return (await pool.query(left, [queue])).rowCount === 0;
    },
    async sweep() {
      const unused = `locked_at is null
        and not exists (select from graphile_worker._private_jobs where job_queue_id = queue.id)`;
      const { rows } = await pool.query<{ id: number }>(
        `select id from graphile_worker._private_job_queues queue where ${unused} limit ${mostSwept}`,
      );
      if (rows.length === 0) return 0;
      return inTransaction(pool, async (client) => {
        // Without this lock, which whoever adds a job to a queue waits for, the queue could be deleted before the job is
        // visible, and the job would never run. The engine's own clean-up takes none.
        await client.query(`set local lock_timeout = '1s'`);
        await client.query('lock table graphile_worker._private_job_queues in share row exclusive mode');
        const { rowCount } = await client.query(
          `delete from graphile_worker._private_job_queues queue where id = any ($1) and ${unused}`,
          [rows.map(({ id }) => id)],
        );
        return rowCount ?? 0;
      });
    },
    async size() {
      const { rows } = await pool.query<{ count: string }>('select count(*) from graphile_worker._private_jobs');
      return Number(rows[0]?.count);
    },
    close: async () => utils.release(),
  };
}
