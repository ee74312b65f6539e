import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { run as startEngine, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Store } from '../store/index.ts';
import type { JobHandler } from './kinds.ts';
import { keepAlive, type Liveness } from './liveness.ts';
import { freeForgotten } from './reaper.ts';
import { createShares } from './shares.ts';
import { createTask, type OnJob } from './task.ts';
import { watchEngine } from './watch.ts';
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
  /** Resolves when the engine has ended or is about to, with the reason if it wasn't stopped. */
  endedBecause: Promise<unknown>;
  /** Unlocks jobs that it holds without knowing. */
  freeForgotten(minAgeSeconds: number): Promise<void>;
  /** Takes no more jobs and lets running ones finish. After `graceMs`, aborts them and hands them over. */
  stop(graceMs: number): Promise<void>;
}

/** How long a job can take to end after its signal has fired. */
const deafMs = 5_000;

/** Running jobs are handed over: this process ends, or others can treat it as dead. */
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
  let working = new AbortController();
  let stopping = false;
  let worker = '';
  let liveness: Liveness | undefined;
  const handedOver = new Set<string>();
  const handOver = (why: string, cause?: unknown) => {
    working.abort(new HandOverError(why, { cause }));
    // Jobs that are claimed later can run, unless the engine is stopping.
    if (!stopping) working = new AbortController();
  };

  const ready = async () => {
    const { signal } = working;
    await liveness?.up(signal);
    return { worker, signal };
  };
  const onHandOver = (job: string) => handedOver.add(job);
  const taskList: TaskList = Object.fromEntries(
    handlers.map((handler) => [handler.kind.name, createTask({ store, handler, log, onJob, ready, onHandOver })]),
  );

  const events: WorkerEvents = new EventEmitter();
  const watch = watchEngine(events);
  const shares = createShares(concurrency, events);
  events.on('pool:create', ({ workerPool }) => {
    worker = workerPool.id;
    liveness = keepAlive(store, worker, {
      onLost(error) {
        log?.warn({ worker, err: error }, 'liveness lock lost: handing over running jobs');
        handOver('this worker may have been taken for dead', error);
      },
      onAbsent(error) {
        log?.warn({ worker, err: error }, 'liveness lock unavailable: restarting the engine');
        handOver('this worker cannot show that it lives', error);
        void engine.stop().catch(() => {});
      },
    });
  });

  const engine = await startEngine({
    pgPool: store.pool,
    taskList,
    events,
    logger: createWorkerLogger(log),
    noHandleSignals: true,
    forbiddenFlags: shares.full,
    parsedCronItems: [], // without this it looks for a crontab in the current folder
    preset: {
      worker: {
        concurrentJobs: concurrency,
        pollInterval: 250, // the next job of a queue waits for a poll; the default of two seconds is noticeable
        gracefulShutdownAbortTimeout: 3_600_000, // we abort jobs ourselves
        // Jobs that end at the same time are recorded in one batch. Without batches the engine doesn't await these
        // writes: a database outage would end this process, and a stop would not wait for the last one.
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
    endedBecause: Promise.race([ended, watch.broken]),
    freeForgotten: (minAgeSeconds) => freeForgotten(store, worker, watch.known(), minAgeSeconds),
    async stop(graceMs) {
      stopping = true;
      const timer = setTimeout(() => handOver('this engine is stopped'), graceMs);
      // A job that ignores its signal, and an engine that doesn't end, are left to the reaper of another worker.
      const deaf = new AbortController();
      await Promise.race([
        Promise.all([engine.stop().catch(() => {}), ended]),
        sleep(graceMs + deafMs, undefined, { signal: deaf.signal }).catch(() => {}),
      ]);
      deaf.abort();
      clearTimeout(timer);
      handOver('the engine has ended');
      await offerNow(store, handedOver).catch((error: unknown) => log?.warn({ err: error }, 'job handed over late'));
      await liveness?.stop();
    },
  };
}

/** A job that was handed over did not fail: it runs again without delay, and the attempt doesn't count. */
async function offerNow({ pool }: Store, jobs: ReadonlySet<string>): Promise<void> {
  if (jobs.size === 0) return;
  await pool.query(
    `update graphile_worker._private_jobs set run_at = now(), attempts = greatest(attempts - 1, 0)
     where id = any($1::bigint[]) and locked_by is null`,
    [[...jobs]],
  );
}
