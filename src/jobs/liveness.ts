import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../store/index.ts';

/** A sign of life that ends with the process, however it ends: a lock by the worker's name. */
export interface Liveness {
  isUp(): boolean;
  /** Resolves when the sign is up. */
  up(): Promise<void>;
  stop(): Promise<void>;
}

export function lockNameOf(worker: string): string {
  return `worker ${worker}`;
}

/** @param onLost what was begun must stop: from now on others may take this worker for dead */
export function keepAlive(store: Store, worker: string, onLost: (error: unknown) => void): Liveness {
  const stopping = new AbortController();
  const events = new EventEmitter().setMaxListeners(0);
  let isUp = false;

  async function hold(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await store.withLock(lockNameOf(worker), stopping.signal, async ({ signal }) => {
          isUp = true;
          events.emit('up');
          await once(signal, 'abort');
          signal.throwIfAborted();
        });
      } catch (error) {
        if (isUp && !stopping.signal.aborted) onLost(error);
        isUp = false;
      }
      await sleep(500, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  const holding = hold();
  return {
    isUp: () => isUp,
    up: async () => {
      if (!isUp) await once(events, 'up', { signal: stopping.signal });
    },
    async stop() {
      stopping.abort();
      await holding;
    },
  };
}
