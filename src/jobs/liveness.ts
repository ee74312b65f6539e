import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import type { Store } from '../store/index.ts';

const unavailableMs = 10_000;

/** Running jobs are handed over, because this process ends or others can treat it as dead. */
class HandOverError extends Error {
  override readonly name = 'HandOverError';
}

export function lockNameOf(worker: string): string {
  return `worker ${worker}`;
}

/**
 * Holds a lock named after the worker of an engine, without which it runs no jobs. The lock is released when the process
 * ends, even if it is killed. If it is lost, running jobs are handed over, because other workers can now treat this one
 * as dead.
 *
 * @param onUnavailable called if the lock can't be taken: the engine must release the jobs that it has claimed
 */
export function createLiveness(store: Store, log: Log | undefined, onUnavailable: () => void) {
  const stopping = new AbortController();
  const events = new EventEmitter().setMaxListeners(0);
  let worker = '';
  let isUp = false;
  let holding: Promise<void> | undefined;
  /** Fires for the running jobs. */
  let working = new AbortController();

  const abortJobs = (reason: string, cause?: unknown) => working.abort(new HandOverError(reason, { cause }));
  /** Jobs that the engine claims later can run. */
  const handOver = (reason: string, cause: unknown) => {
    abortJobs(reason, cause);
    working = new AbortController();
  };

  async function holdLock(): Promise<void> {
    let downSince = performance.now();
    while (!stopping.signal.aborted) {
      try {
        await store.withLock(lockNameOf(worker), stopping.signal, async ({ signal }) => {
          isUp = true;
          events.emit('up');
          if (!signal.aborted) await once(signal, 'abort');
          signal.throwIfAborted();
        });
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (isUp) {
          downSince = performance.now();
          log?.warn({ worker, err: error }, 'liveness lock lost: handing over running jobs');
          handOver('other workers can treat this one as dead', error);
        } else if (performance.now() - downSince > unavailableMs) {
          log?.warn({ worker, err: error }, 'liveness lock unavailable: restarting the engine');
          handOver('this worker has no liveness lock', error);
          onUnavailable();
        }
        isUp = false;
      }
      await sleep(500, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  return {
    /** Starts to hold the lock of this worker. */
    begin(name: string): void {
      worker = name;
      holding = holdLock();
    },
    isUp: () => isUp,
    worker: () => worker,
    /** Resolves when the lock is held, with the signal for a job; rejects if the signal fires first. */
    async ready(): Promise<{ worker: string; signal: AbortSignal }> {
      const { signal } = working;
      signal.throwIfAborted();
      if (!isUp) await once(events, 'up', { signal });
      return { worker, signal };
    },
    /** Hands over the running jobs. No others can start. */
    abortJobs,
    async stop(): Promise<void> {
      stopping.abort();
      await holding;
    },
  };
}
