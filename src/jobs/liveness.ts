import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../store/index.ts';

/** A sign of life that ends with the process, however it ends: a lock by the worker's name. */
export interface Liveness {
  isUp(): boolean;
  /** Resolves when the sign is up; rejects when the signal fires first. */
  up(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export interface LivenessEvents {
  /** What was begun must stop: from now on others may take this worker for dead. */
  onLost(error: unknown): void;
  /** It does not come up: this worker cannot work, and must not keep what it takes from others. */
  onAbsent(error: unknown): void;
}

const absentMs = 10_000;

export function lockNameOf(worker: string): string {
  return `worker ${worker}`;
}

export function keepAlive(store: Store, worker: string, { onLost, onAbsent }: LivenessEvents): Liveness {
  const stopping = new AbortController();
  const events = new EventEmitter().setMaxListeners(0);
  let isUp = false;

  async function hold(): Promise<void> {
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
        } else if (performance.now() - downSince > absentMs) onAbsent(error);
        isUp = false;
      }
      await sleep(500, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  const holding = hold();
  return {
    isUp: () => isUp,
    up: async (signal) => {
      signal.throwIfAborted();
      if (!isUp) await once(events, 'up', { signal });
    },
    async stop() {
      stopping.abort();
      await holding;
    },
  };
}
