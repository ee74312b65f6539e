import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { reap } from './reaper.ts';
import { startWorkers, type Workers, type WorkersOptions } from './workers.ts';

export interface RunnerOptions extends WorkersOptions {
  /** A worker that has claimed nothing for this long can be treated as dead. Checked every `reapEveryMs`. */
  deadAfterSeconds?: number;
  reapEveryMs?: number;
}

export interface Runner {
  /** Whether this process can run jobs: it holds its liveness lock. */
  isUp(): boolean;
  /** Takes no more jobs and lets running ones finish. After `graceMs`, aborts them and hands them over. */
  stop(graceMs?: number): Promise<void>;
}

const restartMs = 1_000;

/** Runs jobs until it is stopped. An engine that breaks, as it does after some database failures, is replaced. */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { store, log, deadAfterSeconds = 10, reapEveryMs = 2_000 } = options;
  const engineLog = log && store.quiet(log);
  const stopping = new AbortController();
  const stopRequested = once(stopping.signal, 'abort');
  let workers: Workers | undefined = await startWorkers(options);
  let grace = 0;

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        workers ??= await startWorkers(options);
        const reason = await Promise.race([workers.endedBecause, stopRequested]);
        if (stopping.signal.aborted) break;
        engineLog?.warn({ err: reason }, 'job engine ended: starting another');
        await workers.stop(0);
      } catch (error) {
        engineLog?.warn({ err: error }, 'job engine does not start');
      }
      workers = undefined;
      await sleep(restartMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
    await workers?.stop(grace);
  }
  const running = keepRunning();

  let isReaping = false;
  const reaping = setInterval(async () => {
    if (isReaping) return; // the database hangs: don't add more queries
    isReaping = true;
    try {
      await workers?.unlockForgotten(deadAfterSeconds);
      const unlocked = await reap(store, deadAfterSeconds);
      if (unlocked.length > 0) log?.warn({ workers: unlocked }, 'freed the jobs of dead workers');
    } catch (error) {
      engineLog?.warn({ err: error }, 'could not look for dead workers');
    } finally {
      isReaping = false;
    }
  }, reapEveryMs);

  return {
    isUp: () => workers?.isUp() ?? false,
    async stop(graceMs = 10_000) {
      clearInterval(reaping);
      grace = graceMs;
      stopping.abort();
      await running;
    },
  };
}
