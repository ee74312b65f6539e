import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../common/services.ts';
import { createUnchangedRecorder, pollOnce, type RecordUnchanged } from './operations.ts';
import { claimPolls, type PollClaim } from './repository.ts';

export interface PollerOptions {
  everyMs: number;
  /** Inboxes that this process reads at a time. If as many services hang at once, it polls no other workspace. */
  parallel?: number;
  /** Polls in progress, including those that are only being recorded. Limits memory if the database hangs. */
  maxRunning?: number;
  /** How often to look for due polls. */
  tickMs?: number;
  /** After this time, another process can claim the poll of a process that died. */
  leaseMs?: number;
}

export interface Poller {
  /** Stops claiming polls, and releases those in progress. */
  stop(): Promise<void>;
}

const maxWaitMs = 100;

/** Polls due workspaces until stopped. Any number of processes can do this: only one can claim each poll. */
export function startPoller(services: Services, options: PollerOptions): Poller {
  const { everyMs, parallel = 50, maxRunning = 20 * parallel, tickMs = 1_000, leaseMs } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();
  /** How many of the running polls read an inbox. The others are being recorded, and don't count as parallel. */
  let reading = 0;
  const recordUnchanged = createUnchangedRecorder(services, everyMs);
  const half = Math.floor(parallel / 2);
  const log = services.store.quiet(services.log);
  let onRead = () => {};

  /** Resolves with whether more workspaces could be due. */
  async function claimDue(): Promise<boolean> {
    const free = Math.min(parallel - reading, maxRunning - running.size);
    const claims = await claimPolls(services.store.pool, free, leaseMs);
    for (const claim of claims) {
      const poll = startPoll(claim).finally(() => running.delete(poll));
      running.add(poll);
    }
    return claims.length === free;
  }

  async function startPoll(claim: PollClaim): Promise<void> {
    let isReading = true;
    const endReading = () => {
      if (!isReading) return;
      isReading = false;
      reading -= 1;
      onRead();
    };
    reading += 1;
    const record: RecordUnchanged = (unchanged) => {
      endReading();
      return recordUnchanged(unchanged);
    };
    await pollOnce(services, claim, everyMs, signal, record).finally(endReading);
  }

  const untilReading = (limit: number) =>
    new Promise<void>((resolve) => {
      onRead = () => {
        if (reading <= limit) resolve();
      };
      onRead();
    });

  /**
   * Waits until half of the inboxes have been read, so that the next claim is for many polls. Slow services delay it by
   * at most `maxWaitMs`, unless every poll waits for one.
   */
  async function waitForPolls(): Promise<void> {
    await Promise.race([untilReading(half), sleep(maxWaitMs)]);
    await untilReading(parallel - 1);
    if (running.size >= maxRunning) await Promise.race(running);
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      const areMoreDue = await claimDue().catch((error: unknown) => {
        log.warn({ operation: 'poll', err: error }, 'could not claim polls');
        return false;
      });
      if (areMoreDue) await waitForPolls();
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
