import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../services.ts';
import { pollOnce } from './poll.ts';
import { claimTurns } from './polls.ts';

export interface PollerOptions {
  everyMs: number;
  /** Workspaces polled at a time by this process. */
  parallel?: number | undefined;
  /** How often it is looked whose turn it is. */
  tickMs?: number | undefined;
}

/** Polls whoever's turn it is, until it is stopped. Any number of processes may do so: each turn is given to one. */
export function startPoller(services: Services, { everyMs, parallel = 20, tickMs = 1_000 }: PollerOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();

  async function takeTurns(): Promise<boolean> {
    const free = parallel - running.size;
    const turns = await claimTurns(services.store.pool, free);
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
      if (!areMoreDue) await sleep(tickMs, undefined, { signal }).catch(() => {});
      else if (running.size >= parallel) await Promise.race(running);
    }
    await Promise.all(running);
  }

  const looping = loop();
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await looping;
    },
  };
}
