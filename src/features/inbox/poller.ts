import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../services.ts';
import { pollOnce } from './poll.ts';
import { claimTurns } from './polls.ts';

export interface PollerOptions {
  everyMs: number;
  /** Workspaces polled at a time by this process. Those that hang for a minute must not fill it. */
  parallel?: number | undefined;
  /** How often it is looked whose turn it is. */
  tickMs?: number | undefined;
  /** After how long somebody else takes the turn of a process that has died. */
  leaseMs?: number | undefined;
}

export interface Poller {
  /** Takes no more turns and gives back those that it is in the middle of. */
  stop(): Promise<void>;
}

/** Polls whoever's turn it is, until it is stopped. Any number of processes may do so: each turn is given to one. */
export function startPoller(services: Services, options: PollerOptions): Poller {
  const { everyMs, parallel = 50, tickMs = 1_000, leaseMs } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();

  /** Whether there may be more who wait for their turn. */
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
        services.log.warn({ operation: 'poll', err: error }, 'turns could not be taken');
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
