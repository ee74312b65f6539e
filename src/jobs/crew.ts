import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { run as startEngine, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Store } from '../store/index.ts';
import type { JobHandler } from './kinds.ts';
import { keepAlive, type Liveness } from './liveness.ts';
import { createTask, type OnJob } from './task.ts';
import { createWorkerLogger, type JobLog } from './worker-log.ts';

export interface CrewOptions {
  store: Store;
  handlers: readonly JobHandler[];
  log?: JobLog | undefined;
  /** Jobs at a time in this process. */
  concurrency?: number | undefined;
  onJob?: OnJob | undefined;
}

/** One run of the engine, from its start to its end, with the sign of life that belongs to it. */
export interface Crew {
  isUp(): boolean;
  /** Resolves when the engine has ended, with the reason if nobody asked it to. */
  ended: Promise<unknown>;
  /** Takes no more jobs, lets those in progress finish, and after `graceMs` makes them stop and hands them over. */
  stop(graceMs: number): Promise<void>;
}

/** How long a job may take to end after it was told to. */
const deafMs = 5_000;

/** Hands over what is in progress: this process ends, or others may take it for dead. */
class HandOverError extends Error {
  override readonly name = 'HandOverError';
}

export async function startCrew({ store, handlers, log, concurrency = 10, onJob }: CrewOptions): Promise<Crew> {
  let working = new AbortController();
  let worker = '';
  let liveness: Liveness | undefined;
  const handOver = (why: string, cause?: unknown) => {
    working.abort(new HandOverError(why, { cause }));
    working = new AbortController();
  };

  const ready = async () => {
    await liveness?.up();
    return { worker, signal: working.signal };
  };
  const taskList: TaskList = Object.fromEntries(
    handlers.map((handler) => [handler.kind.name, createTask({ store, handler, log, onJob, ready })]),
  );

  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => {
    worker = workerPool.id;
    liveness = keepAlive(store, worker, (error) => {
      log?.warn({ worker, err: error }, 'sign of life lost: handing over what is in progress');
      handOver('this worker may have been taken for dead', error);
    });
  });

  const engine = await startEngine({
    pgPool: store.pool,
    taskList,
    events,
    logger: createWorkerLogger(log),
    noHandleSignals: true,
    parsedCronItems: [], // without this it looks for a crontab in whatever folder the bot was started
    // The next job of a queue waits for a poll; the default of two seconds would be felt. Jobs are stopped by us.
    preset: { worker: { concurrentJobs: concurrency, pollInterval: 250, gracefulShutdownAbortTimeout: 3_600_000 } },
  });
  const ended = engine.promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  return {
    isUp: () => liveness?.isUp() ?? false,
    ended,
    async stop(graceMs) {
      const timer = setTimeout(() => handOver('this process ends'), graceMs);
      // It ends when the last job in progress has ended and that is written down; an engine that broke has ended. A job that
      // does not heed its signal is left to the reaper of another worker.
      const stopped = engine.stop().catch(() => {});
      const deaf = new AbortController();
      await Promise.race([
        Promise.all([stopped, ended]),
        sleep(graceMs + deafMs, undefined, { signal: deaf.signal }).catch(() => {}),
      ]);
      deaf.abort();
      clearTimeout(timer);
      handOver('the engine has ended');
      await liveness?.stop();
    },
  };
}
