import { onTestFinished } from 'vitest';
import {
  handlerOf,
  type JobContext,
  jobKind,
  openQueue,
  type Queue,
  type Runner,
  type RunnerOptions,
  startRunner,
} from '../../src/jobs/index.ts';
import type { Store } from '../../src/store/index.ts';
import { emptyDatabase } from './empty-database.ts';
import type { TestPostgres } from './postgres.ts';
import { type OnCleanup, openStoreOn, type StoreSetup, setUpStore } from './store.ts';

export interface JobsSetup extends StoreSetup {
  queue: Queue;
  /** Starts a worker, as another process would. It is stopped after the test. */
  startWorker(options: Omit<RunnerOptions, 'store'> & { store?: Store }): Promise<Runner>;
  /** Resolves when no job is left. */
  untilDrained(withinMs?: number): Promise<void>;
}

export async function setUpJobs(postgres: TestPostgres): Promise<JobsSetup> {
  return openJobsOn(await setUpStore(postgres), onTestFinished);
}

/** Uses the database that tests share, one after the other (see `sharedPostgres`). It is empty when a test starts. */
export async function shareJobs({ sharedPostgres }: TestPostgres): Promise<JobsSetup> {
  const setup = await (shared.get(sharedPostgres) ?? openShared(sharedPostgres));
  onTestFinished(() => emptyDatabase(setup.store.pool));
  return setup;
}

const shared = new WeakMap<TestPostgres, Promise<JobsSetup>>();

function openShared(postgres: TestPostgres): Promise<JobsSetup> {
  const open = async () => {
    const store = await openStoreOn(await postgres.createDatabase(), postgres.afterFile);
    return openJobsOn(store, postgres.afterFile);
  };
  const opening = open();
  shared.set(postgres, opening);
  return opening;
}

async function openJobsOn(setup: StoreSetup, onCleanup: OnCleanup): Promise<JobsSetup> {
  const queue = await openQueue(setup.store.pool);
  onCleanup(() => queue.close());
  return {
    ...setup,
    queue,
    async startWorker(options) {
      const runner = await startRunner({ store: setup.store, ...options });
      const stop = once(runner.stop);
      onTestFinished(() => stop(0));
      return { ...runner, stop };
    },
    async untilDrained(withinMs = 60_000) {
      const deadline = Date.now() + withinMs;
      // If the database is unreachable for a moment, assume that jobs are left.
      while ((await queue.size().catch(() => 1)) > 0) {
        if (Date.now() > deadline) throw new Error('jobs are left after the timeout');
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    },
  };
}

function once(stop: Runner['stop']): Runner['stop'] {
  let stopped: Promise<void> | undefined;
  return (graceMs) => {
    stopped ??= stop(graceMs);
    return stopped;
  };
}

/** A job kind for testing the engine. */
export const greetKind = jobKind('greet', ['person'], { attempts: 30 });

/** Creates a promise with its `resolve` function, so that a job or the test can resolve it. */
export function createDeferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { resolve, promise };
}

/** Creates a handler for `greetKind` that records the jobs that were given up. */
export function recordingHandler(run: (person: string, context: JobContext) => Promise<void>) {
  const givenUp: string[] = [];
  const handler = handlerOf<{ person: string }>({
    kind: greetKind,
    run: ({ person }, context) => run(person, context),
    giveUp: async ({ person }, error) => {
      givenUp.push(`${person}: ${(error as Error).message}`);
    },
  });
  return { handler, givenUp };
}
