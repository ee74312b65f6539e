import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../common/services.ts';
import { pollOnce } from './poll.ts';
import { claimTurns } from './repository.ts';

export interface PollerOptions {
  everyMs: number;
  /** Workspaces that this process polls at a time. Must be more than can hang for a minute at once. */
  parallel?: number | undefined;
  /** How often to look for due polls. */
  tickMs?: number | undefined;
  /** When another process takes over the turn of one that died. */
  leaseMs?: number | undefined;
}

export interface Poller {
  /** Claims no more turns and gives back those in progress. */
  stop(): Promise<void>;
}

/** Polls due workspaces until stopped. Any number of processes can do this: each turn goes to one of them. */
export function startPoller(services: Services, options: PollerOptions): Poller {
  const { everyMs, parallel = 50, tickMs = 1_000, leaseMs } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();

  /** Resolves with whether more workspaces could be due. */
  async function takeTurns(): Promise<boolean> {
    const free = parallel - running.size;
    const turns = await claimTurns(services.store.pool, free, leaseMs);
    for (const turn of turns) {
      const poll = pollOnce(services, turn, everyMs, signal).finally(() => running.delete(poll));
      running.add(poll);
    }
    return turns.length === free;
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      const areMoreDue = await takeTurns().catch((error: unknown) => {
        services.log.warn({ operation: 'poll', err: error }, 'could not claim polls');
        return false;
      });
      if (areMoreDue) await Promise.race(running);
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
