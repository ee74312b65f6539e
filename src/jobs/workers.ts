import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { run as startEngine, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Log } from '../lib/log.ts';
import type { Store } from '../store/index.ts';
import { monitorEngine } from './engine-monitor.ts';
import type { JobHandler } from './kinds.ts';
import { createLiveness } from './liveness.ts';
import { unlockForgotten } from './reaper.ts';
import { createShares } from './shares.ts';
import { createTask, type OnJob } from './task.ts';
import { createWorkerLogger } from './worker-log.ts';

export interface WorkersOptions {
  store: Store;
  handlers: readonly JobHandler[];
  log?: Log;
  /** Concurrent jobs in this process. */
  concurrency?: number;
  onJob?: OnJob;
}

/** How long a job can take to end after its signal has fired. */
const abortTimeoutMs = 5_000;

export type Workers = Awaited<ReturnType<typeof startWorkers>>;

/** Starts one run of the engine, with its liveness lock. */
export async function startWorkers({ store, handlers, log, concurrency = 10, onJob }: WorkersOptions) {
  const engineLog = log && store.quiet(log);
  const events: WorkerEvents = new EventEmitter();
  const monitor = monitorEngine(events);
  const shares = createShares(concurrency, events);
  const liveness = createLiveness(store, engineLog, () => void engine.stop().catch(() => {}));
  events.on('pool:create', ({ workerPool }) => liveness.begin(workerPool.id));

  const handedOver = new Set<string>();
  const onAborted = (jobId: string) => handedOver.add(jobId);
  const taskOptions = { store, log, onJob, ready: liveness.ready, onAborted };
  const tasks = handlers.map((handler) => [handler.kind.name, createTask({ ...taskOptions, handler })]);

  const engine = await startEngine({
    pgPool: store.pool,
    taskList: Object.fromEntries(tasks) as TaskList,
    events,
    logger: createWorkerLogger(engineLog),
    noHandleSignals: true,
    forbiddenFlags: shares.beginClaim,
    parsedCronItems: [], // otherwise the engine looks for a crontab in the current folder
    preset: {
      worker: {
        concurrentJobs: concurrency,
        // The next job of a queue waits for a poll, so the default of two seconds is noticeable. Every idle slot polls.
        pollInterval: Math.max(250, concurrency * 30),
        gracefulShutdownAbortTimeout: 3_600_000, // we abort jobs ourselves
        // Records jobs that end at the same time in one batch. Without batches, the engine doesn't await these writes:
        // a database outage would end this process, and a stop would not wait for the last write.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  }).catch(async (error: unknown) => {
    await liveness.stop();
    throw error;
  });
  const ended = engine.promise.then(
    () => undefined,
    (error: unknown) => error,
  );

  return {
    isUp: liveness.isUp,
    /** Resolves when the engine has ended or no longer works, with the reason unless it was stopped. */
    endedBecause: Promise.race([ended, monitor.broken]),
    /** Unlocks jobs that the engine doesn't know it holds. */
    unlockForgotten: (minAgeSeconds: number) =>
      unlockForgotten(store, liveness.worker(), monitor.listJobs(), minAgeSeconds),
    /** Takes no more jobs and lets running ones finish. After `graceMs`, aborts them and hands them over. */
    async stop(graceMs: number): Promise<void> {
      const abortTimer = setTimeout(() => liveness.abortJobs('this engine is stopped'), graceMs);
      // If a job ignores its signal or the engine doesn't end, the reaper of another worker unlocks the jobs.
      const stopWaiting = new AbortController();
      await Promise.race([
        Promise.all([engine.stop().catch(() => {}), ended]),
        sleep(graceMs + abortTimeoutMs, undefined, { signal: stopWaiting.signal }).catch(() => {}),
      ]);
      stopWaiting.abort();
      clearTimeout(abortTimer);
      liveness.abortJobs('the engine has ended');
      await requeue(store, handedOver).catch((error: unknown) =>
        engineLog?.warn({ err: error }, 'could not requeue handed-over jobs'),
      );
      await liveness.stop();
    },
  };
}

/** A job that was handed over did not fail: it runs again without delay, and the attempt doesn't count. */
async function requeue({ pool }: Store, jobs: ReadonlySet<string>): Promise<void> {
  if (jobs.size === 0) return;
  await pool.query(
    `select from graphile_worker.jobs as job, lateral graphile_worker.reschedule_jobs(
       array[job.id], run_at => now(), attempts => greatest(job.attempts - 1, 0)
     ) where job.id = any($1::bigint[]) and job.locked_by is null`,
    [[...jobs]],
  );
}
