import { makeWorkerUtils, type WorkerUtils } from 'graphile-worker';
import type pg from 'pg';
import type { JobKind } from './kinds.ts';
import { createWorkerLogger, type JobLog } from './worker-log.ts';

export interface AddOptions {
  /** Jobs of one queue run one after the other, under the lock of that name, whichever process runs them. */
  queue?: string | undefined;
  /** A job of this key that waits is replaced, not doubled. */
  key?: string | undefined;
  runAt?: Date | undefined;
}

/** Where work is put that a person need not wait for. */
export interface Queue {
  add<Ids extends Record<string, string>>(kind: JobKind<Ids>, ids: Ids, options?: AddOptions): Promise<void>;
  /** How many jobs wait or run, those of the future and those that wait to be tried again included. */
  size(): Promise<number>;
  close(): Promise<void>;
}

export async function openQueue(pool: pg.Pool, log?: JobLog): Promise<Queue> {
  const utils: WorkerUtils = await makeWorkerUtils({ pgPool: pool, logger: createWorkerLogger(log) });
  await utils.migrate();
  return {
    async add(kind, ids, { queue, key, runAt } = {}) {
      await utils.addJob(kind.name, kind.ids.parse(ids), {
        // When to give up is decided in task.ts, which tells somebody. The engine alone would let a job lie for ever that
        // was killed or handed over in its last attempt.
        maxAttempts: kind.attempts + 1000,
        ...(queue !== undefined && { queueName: queue }),
        ...(key !== undefined && { jobKey: key }),
        ...(runAt !== undefined && { runAt }),
      });
    },
    async size() {
      const { rows } = await pool.query<{ count: string }>('select count(*) from graphile_worker._private_jobs');
      return Number(rows[0]?.count);
    },
    close: async () => utils.release(),
  };
}
