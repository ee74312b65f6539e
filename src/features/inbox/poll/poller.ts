import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../common/services.ts';
import { createUnchangedRecorder, pollOnce } from './operations.ts';
import { claimPolls } from './repository.ts';

export interface PollerOptions {
  everyMs: number;
  /** Workspaces that this process polls at a time. If as many services hang at once, it polls no other workspace. */
  parallel?: number | undefined;
  /** How often to look for due polls. */
  tickMs?: number | undefined;
  /** After this time, another process can claim the poll of a process that died. */
  leaseMs?: number | undefined;
}

export interface Poller {
  /** Stops claiming polls, and releases those in progress. */
  stop(): Promise<void>;
}

const maxWaitMs = 100;

/** Polls due workspaces until stopped. Any number of processes can do this: only one can claim each poll. */
export function startPoller(services: Services, options: PollerOptions): Poller {
  const { everyMs, parallel = 50, tickMs = 1_000, leaseMs } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();
  const recordUnchanged = createUnchangedRecorder(services, everyMs);
  const half = Math.floor(parallel / 2);
  let onHalfFree = () => {};

  /** Resolves with whether more workspaces could be due. */
  async function claimDue(): Promise<boolean> {
    const free = parallel - running.size;
    const claims = await claimPolls(services.store.pool, free, leaseMs);
    for (const claim of claims) {
      const poll = pollOnce(services, claim, everyMs, signal, recordUnchanged).finally(() => {
        running.delete(poll);
        if (running.size <= half) onHalfFree();
      });
      running.add(poll);
    }
    return claims.length === free;
  }

  /**
   * Waits until half of the slots are free, so that the next claim is for many polls. Slow polls delay it by at most
   * `maxWaitMs`, unless they take all slots.
   */
  async function waitForFreeSlots(): Promise<void> {
    const halfFree = new Promise<void>((resolve) => {
      onHalfFree = resolve;
    });
    if (running.size > half) await Promise.race([halfFree, sleep(maxWaitMs)]);
    if (running.size === parallel) await Promise.race(running);
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      const areMoreDue = await claimDue().catch((error: unknown) => {
        services.log.warn({ operation: 'poll', err: error }, 'could not claim polls');
        return false;
      });
      if (areMoreDue) await waitForFreeSlots();
      else await sleep(tickMs, undefined, { signal }).catch(() => {});
    }
    await Promise.all(running);
  }

  const looping = loop();
  return {
    async stop() {
      stopping.abort();
      await looping;
    },
  };
}
