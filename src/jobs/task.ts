import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Task } from 'graphile-worker';
import type { HeldLock, Store } from '../store/index.ts';
import { createSteps } from './checkpoints.ts';
import { type JobContext, type JobHandler, jobPayload, PermanentError } from './kinds.ts';
import type { JobLog } from './worker-log.ts';

/** `failed`: it will be retried, by this worker or another. */
export type JobOutcome = 'done' | 'failed' | 'given up';
export type OnJob = (name: string, outcome: JobOutcome, ms: number) => void;

export interface TaskOptions {
  store: Store;
  handler: JobHandler;
  log: JobLog | undefined;
  onJob: OnJob | undefined;
  /** Resolves when this process can run jobs. */
  ready: () => Promise<{ worker: string; signal: AbortSignal }>;
  /** Called with a job that was aborted by its worker. */
  onHandOver: (job: string) => void;
}

/** A job this many attempts over its limit has killed its worker each time. It isn't run again, only given up. */
const crashesForgiven = 5;

/** What the engine runs for a job: under the lock of its queue, with every outcome logged. */
export function createTask({ store, handler, log, onJob, ready, onHandOver }: TaskOptions): Task {
  const { kind } = handler;
  return async (payload, helpers) => {
    const started = Date.now();
    const { job } = helpers;
    const { worker, signal } = await ready();
    const queue = job.job_queue_id === null ? null : await helpers.getQueueName();
    const { run, ids: given } = jobPayload.parse(payload);
    const ids = kind.ids.parse(given);
    const tell = (outcome: JobOutcome, error?: unknown) => {
      const ms = Date.now() - started;
      const line = { job: kind.name, run, ...ids, attempt: job.attempts, outcome, ms };
      if (outcome === 'done') log?.info(line, 'job done');
      else log?.warn({ ...line, err: error }, `job ${outcome}`);
      onJob?.(kind.name, outcome, ms);
    };

    const toItsEnd = async (context: JobContext) => {
      try {
        if (job.attempts > kind.attempts + crashesForgiven) throw new PermanentError('its worker died too often');
        await handler.run(ids, context);
        tell('done');
      } catch (error) {
        context.signal.throwIfAborted(); // not a failure of the job: the next worker continues it
        if (!(error instanceof PermanentError) && job.attempts < kind.attempts) throw error;
        await handler.giveUp(ids, error, context);
        tell('given up', error);
      }
    };

    const work = async ({ signal: held, check }: HeldLock) => {
      // While we waited, another worker can have got the job, and even finished it.
      await expectOurs(store, job, worker);
      const step = createSteps(store, run, check);
      const all = () => toItsEnd({ job: run, attempt: job.attempts, signal: held, check, step });
      // The end of a queued job is recorded under the queue's lock: the engine records it only after the release.
      await (queue === null ? all() : step('the whole job', all));
    };

    try {
      if (queue === null) await work({ signal, check: async () => signal.throwIfAborted() });
      else await store.withLock(queue, signal, work);
    } catch (error) {
      if (error instanceof TakenAwayError) await untilLeft(store, job, worker, signal);
      if (signal.aborted) onHandOver(job.id);
      tell('failed', error);
      throw new JobFailedError(error);
    }
  };
}

/** The engine stores failures unencrypted, so it gets only the kind. The rest is in the log, with secrets redacted. */
class JobFailedError extends Error {
  override readonly name = 'JobFailedError';

  constructor(error: unknown) {
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
    super(`${error instanceof Error ? error.name : 'something else than an error'}${code}: see the log`);
  }
}

/** The job was taken from this worker while it waited: there is nothing to do and nothing to record. */
class TakenAwayError extends Error {
  override readonly name = 'TakenAwayError';
}

async function expectOurs(store: Store, job: Job, worker: string): Promise<void> {
  const row = await holderOf(store, job);
  // If a running job is replaced by one with the same key, the engine uses up all its attempts. There will be no other
  // attempt, so this one is still current.
  const isThisAttempt = row?.attempts === job.attempts || row?.replaced === true;
  if (row?.worker !== worker || !isThisAttempt) throw new TakenAwayError('another attempt has the job');
}

/**
 * The engine records a failed attempt for any job that its worker holds, so it would count this failure against a later
 * attempt by the same worker. This waits until that attempt is over.
 */
async function untilLeft(store: Store, job: Job, worker: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await holderOf(store, job))?.worker === worker) await sleep(100);
}

async function holderOf(
  { pool }: Store,
  { id }: Job,
): Promise<{ worker: string | null; attempts: number; replaced: boolean } | undefined> {
  const { rows } = await pool.query(
    `select locked_by as worker, attempts, attempts >= max_attempts as replaced
     from graphile_worker._private_jobs where id = $1`,
    [id],
  );
  return rows[0];
}
