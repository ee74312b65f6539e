import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Task } from 'graphile-worker';
import type { HeldLock, Store } from '../store/index.ts';
import { createSteps } from './checkpoints.ts';
import { type JobContext, type JobHandler, jobPayload, PermanentError } from './kinds.ts';
import type { JobLog } from './worker-log.ts';

/** `failed`: it will be tried again, here or elsewhere. */
export type JobOutcome = 'done' | 'failed' | 'given up';
export type OnJob = (name: string, outcome: JobOutcome, ms: number) => void;

export interface TaskOptions {
  store: Store;
  handler: JobHandler;
  log: JobLog | undefined;
  onJob: OnJob | undefined;
  /** Resolves when this process may work. */
  ready: () => Promise<{ worker: string; signal: AbortSignal }>;
  /** Told of a job that ended for no fault of its own. */
  onHandOver: (job: string) => void;
}

/** A job beyond its attempts by so many has ended its worker each time: it is not run again, only given up. */
const crashesForgiven = 5;

/** What the engine runs for a job: under the lock of its queue, with its end told whatever it is. */
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
        context.signal.throwIfAborted(); // not its own failure: whoever takes it over goes on
        if (!(error instanceof PermanentError) && job.attempts < kind.attempts) throw error;
        await handler.giveUp(ids, error, context);
        tell('given up', error);
      }
    };

    const work = async ({ signal: held, check }: HeldLock) => {
      // While we waited, the job may have been given to another worker, and even be done.
      await expectOurs(store, job, worker);
      const step = createSteps(store, run, check);
      const all = () => toItsEnd({ job: run, attempt: job.attempts, signal: held, check, step });
      // That a job of a queue is done is noted under the queue's lock: the engine writes it down only when that is free.
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

/** What the engine keeps of a failure, in a table and in the open: its kind. The rest is in the log, scrubbed. */
class JobFailedError extends Error {
  override readonly name = 'JobFailedError';

  constructor(error: unknown) {
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
    super(`${error instanceof Error ? error.name : 'something else than an error'}${code}: see the log`);
  }
}

/** The job was taken from this worker while it waited: there is nothing to do, and nothing to write down. */
class TakenAwayError extends Error {
  override readonly name = 'TakenAwayError';
}

async function expectOurs(store: Store, job: Job, worker: string): Promise<void> {
  const row = await holderOf(store, job);
  // The engine also takes all attempts from a job that was replaced by one of the same key while it runs: there will be
  // no other attempt at it, so this is still the one.
  const isThisAttempt = row?.attempts === job.attempts || row?.replaced === true;
  if (row?.worker !== worker || !isThisAttempt) throw new TakenAwayError('another attempt has the job');
}

/**
 * The engine writes a failed attempt down wherever its worker holds the job, and would charge this one to a later attempt
 * of the same worker. So it ends after that.
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
