import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { run as startEngine, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Store } from '../store/index.ts';
import { monitorEngine } from './engine-monitor.ts';
import type { JobHandler } from './kinds.ts';
import { keepAlive, type Liveness } from './liveness.ts';
import { unlockForgotten } from './reaper.ts';
import { createShares } from './shares.ts';
import { createTask, type OnJob } from './task.ts';

import { createWorkerLogger, type JobLog } from './worker-log.ts';

export interface WorkersOptions {
  store: Store;
  handlers: readonly JobHandler[];
  log?: JobLog | undefined;
  /** Concurrent jobs in this process. */
  concurrency?: number | undefined;
  onJob?: OnJob | undefined;
}

/** One run of the engine, from its start to its end, with its liveness lock. */
export interface Workers {
  isUp(): boolean;
  /** Resolves when the engine has ended or no longer works, with the reason unless it was stopped. */
  endedBecause: Promise<unknown>;
  /** Unlocks jobs that the engine doesn't know it holds. */
  unlockForgotten(minAgeSeconds: number): Promise<void>;
  /** Takes no more jobs and lets running ones finish. After `graceMs`, aborts them and hands them over. */
  stop(graceMs: number): Promise<void>;
}

/** How long a job can take to end after its signal has fired. */
const abortTimeoutMs = 5_000;

/** Running jobs are handed over, because this process ends or others can treat it as dead. */
class HandOverError extends Error {
  override readonly name = 'HandOverError';
}

export async function startWorkers({
  store,
  handlers,
  log,
  concurrency = 10,
  onJob,
}: WorkersOptions): Promise<Workers> {
  const engineLog = log && store.quiet(log);
  let working = new AbortController();
  let stopping = false;
  let worker = '';
  let liveness: Liveness | undefined;
  const handedOver = new Set<string>();
  const handOver = (reason: string, cause?: unknown) => {
    working.abort(new HandOverError(reason, { cause }));
    // Unless the engine is stopping, jobs that it claims later can run.
    if (!stopping) working = new AbortController();
  };

  const ready = async () => {
    const { signal } = working;
    await liveness?.waitUntilUp(signal);
    return { worker, signal };
  };
  const onAborted = (jobId: string) => handedOver.add(jobId);
  const taskList: TaskList = Object.fromEntries(
    handlers.map((handler) => [handler.kind.name, createTask({ store, handler, log, onJob, ready, onAborted })]),
  );

  const events: WorkerEvents = new EventEmitter();
  const monitor = monitorEngine(events);
  const shares = createShares(concurrency, events);
  events.on('pool:create', ({ workerPool }) => {
    worker = workerPool.id;
    liveness = keepAlive(store, worker, {
      onLost(error) {
        engineLog?.warn({ worker, err: error }, 'liveness lock lost: handing over running jobs');
        handOver('other workers can treat this one as dead', error);
      },
      onUnavailable(error) {
        engineLog?.warn({ worker, err: error }, 'liveness lock unavailable: restarting the engine');
        handOver('this worker has no liveness lock', error);
        void engine.stop().catch(() => {});
      },
    });
  });

  const engine = await startEngine({
    pgPool: store.pool,
    taskList,
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
    await liveness?.stop();
    throw error;
  });
  const ended = engine.promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  return {
    isUp: () => liveness?.isUp() ?? false,
    endedBecause: Promise.race([ended, monitor.broken]),
    unlockForgotten: (minAgeSeconds) => unlockForgotten(store, worker, monitor.listJobs(), minAgeSeconds),
    async stop(graceMs) {
      stopping = true;
      const timer = setTimeout(() => handOver('this engine is stopped'), graceMs);
      // If a job ignores its signal or the engine doesn't end, the reaper of another worker unlocks the jobs.
      const stopWaiting = new AbortController();
      await Promise.race([
        Promise.all([engine.stop().catch(() => {}), ended]),
        sleep(graceMs + abortTimeoutMs, undefined, { signal: stopWaiting.signal }).catch(() => {}),
      ]);
      stopWaiting.abort();
      clearTimeout(timer);
      handOver('the engine has ended');
      await requeue(store, handedOver).catch((error: unknown) =>
        engineLog?.warn({ err: error }, 'could not requeue handed-over jobs'),
      );
      await liveness?.stop();
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
