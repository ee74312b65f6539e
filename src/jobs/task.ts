import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Task } from 'graphile-worker';
import type { Log } from '../lib/log.ts';
import type { HeldLock, Store } from '../store/index.ts';
import { createSteps } from './checkpoints.ts';
import { type JobContext, type JobHandler, jobPayload, PermanentError } from './kinds.ts';

/** `failed` jobs are retried, by this worker or another. */
export const jobOutcomes = ['done', 'failed', 'given up'] as const;
export type JobOutcome = (typeof jobOutcomes)[number];
export type OnJob = (name: string, outcome: JobOutcome, ms: number) => void;

export interface TaskOptions {
  store: Store;
  handler: JobHandler;
  log: Log | undefined;
  onJob: OnJob | undefined;
  /** Resolves when this process can run jobs. */
  ready: () => Promise<{ worker: string; signal: AbortSignal }>;
  /** Called with the id of a job that was aborted by its worker. */
  onAborted: (jobId: string) => void;
}

/**
 * If attempts exceed the limit by more than this, assume that the job crashes its worker, and give it up without
 * running it.
 */
const toleratedCrashes = 5;

/** Runs a job for the engine, under the lock of its queue, and logs the outcome. */
export function createTask({ store, handler, log, onJob, ready, onAborted }: TaskOptions): Task {
  const { kind } = handler;
  return async (payload, helpers) => {
    const started = Date.now();
    const { job } = helpers;
    const { worker, signal } = await ready();
    const queue = job.job_queue_id === null ? null : await helpers.getQueueName();
    const { run: runId, ids: rawIds } = jobPayload.parse(payload);
    const ids = kind.ids.parse(rawIds);
    const report = (outcome: JobOutcome, error?: unknown) => {
      const ms = Date.now() - started;
      const fields = { job: kind.name, run: runId, ...ids, attempt: job.attempts, outcome, ms };
      if (outcome === 'done') log?.info(fields, 'job done');
      else log?.warn({ ...fields, err: error }, `job ${outcome}`);
      onJob?.(kind.name, outcome, ms);
    };

    const runOrGiveUp = async (context: JobContext) => {
      try {
        if (job.attempts > kind.attempts + toleratedCrashes) throw new PermanentError('its worker died too often');
        await handler.run(ids, context);
        report('done');
      } catch (error) {
        context.signal.throwIfAborted(); // not a failure of the job: the next worker continues it
        if (!(error instanceof PermanentError) && job.attempts < kind.attempts) throw error;
        await handler.giveUp(ids, error, context);
        report('given up', error);
      }
    };

    const work = async ({ signal: lockSignal, check }: HeldLock) => {
      // During the wait for the lock, another worker might have claimed the job, and even finished it.
      await requireClaim(store, job, worker);
      const step = createSteps(store, runId, check);
      const runJob = () => runOrGiveUp({ runId, attempt: job.attempts, signal: lockSignal, check, step });
      // Records the end of a queued job while the queue's lock is held. The engine would record it after the release.
      await (queue === null ? runJob() : step('the whole job', runJob));
    };

    try {
      if (queue === null) await work({ signal, check: async () => signal.throwIfAborted() });
      else await store.withLock(queue, signal, work);
    } catch (error) {
      if (error instanceof ClaimLostError) await waitUntilReleased(store, job, worker, signal);
      if (signal.aborted) onAborted(job.id);
      report('failed', error);
      throw new JobFailedError(error);
    }
  };
}

/** The engine stores failures unencrypted, so it gets only the kind. The rest is in the log, with secrets redacted. */
class JobFailedError extends Error {
  override readonly name = 'JobFailedError';

  constructor(error: unknown) {
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
    super(`${error instanceof Error ? error.name : 'not an Error'}${code}: see the log`);
  }
}

/** Another attempt got the job while this worker waited, so there is nothing to do or to record. */
class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

async function requireClaim(store: Store, job: Job, worker: string): Promise<void> {
  const row = await readClaim(store, job);
  // When a running job is replaced by one with the same key, the engine sets its attempts to the maximum. No other
  // attempt will follow, so this one is still current.
  const isThisAttempt = row?.attempts === job.attempts || row?.replaced === true;
  if (row?.worker !== worker || !isThisAttempt) throw new ClaimLostError('another attempt has the job');
}

/**
 * The engine records a failure for any job that the worker holds, so if the same worker has already claimed the job
 * again, that later attempt would fail. This waits until that attempt is over.
 */
async function waitUntilReleased(store: Store, job: Job, worker: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await readClaim(store, job))?.worker === worker) await sleep(100);
}

async function readClaim(
  { pool }: Store,
  { id }: Job,
): Promise<{ worker: string | null; attempts: number; replaced: boolean } | undefined> {
  const { rows } = await pool.query(
    `select locked_by as worker, attempts, attempts >= max_attempts as replaced
     from graphile_worker.jobs where id = $1`,
    [id],
  );
  return rows[0];
}
