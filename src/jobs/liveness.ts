import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../store/index.ts';

/** Holds a lock named after the worker. The lock is released when the process ends, even if it is killed. */
export interface Liveness {
  isUp(): boolean;
  /** Resolves when the lock is held; rejects if the signal fires first. */
  waitUntilUp(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export interface LivenessEvents {
  /** The lock was lost. Running jobs must stop, because other workers can now treat this one as dead. */
  onLost(error: unknown): void;
  /** The lock can't be taken. Without it, this worker can't run jobs and must release those that it has claimed. */
  onUnavailable(error: unknown): void;
}

const unavailableMs = 10_000;

export function lockNameOf(worker: string): string {
  return `worker ${worker}`;
}

export function keepAlive(store: Store, worker: string, { onLost, onUnavailable }: LivenessEvents): Liveness {
  const stopping = new AbortController();
  const events = new EventEmitter().setMaxListeners(0);
  let isUp = false;

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
          onLost(error);
        } else if (performance.now() - downSince > unavailableMs) onUnavailable(error);
        isUp = false;
      }
      await sleep(500, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  const holding = holdLock();
  return {
    isUp: () => isUp,
    waitUntilUp: async (signal) => {
      signal.throwIfAborted();
      if (!isUp) await once(events, 'up', { signal });
    },
    async stop() {
      stopping.abort();
      await holding;
    },
  };
}
