import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../common/services.ts';
import { createUnchangedRecorder, pollOnce, type RecordUnchanged } from './operations.ts';
import { claimPolls, type PollClaim } from './repository.ts';

export interface PollerOptions {
  everyMs: number;
  /** Inboxes that this process reads at a time. */
  parallel?: number;
  /** Of these, about how many of one host: if it hangs, the others are still polled. */
  perHost?: number;
  /** Polls claimed at a time, which can all be of one host. */
  claimed?: number;
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

/** As in `claimPolls`. */
const hostOf = ({ account }: PollClaim) => account.split('/')[2] ?? '';

/** Polls due workspaces until stopped. Any number of processes can do this: only one can claim each poll. */
export function startPoller(services: Services, options: PollerOptions): Poller {
  const { everyMs, parallel = 500, perHost = 400, claimed = 50, tickMs = 1_000, leaseMs } = options;
  const { maxRunning = 2 * parallel } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();
  /** How many of the running polls read an inbox. The others are being recorded, and don't count as parallel. */
  let reading = 0;
  const readingByHost = new Map<string, number>();
  const recordUnchanged = createUnchangedRecorder(services, everyMs);
  const log = services.store.quiet(services.log);
  let onRead = () => {};

  /** Resolves with how long to wait before the next claim; `undefined`: until polls have ended. */
  async function claimDue(): Promise<number | undefined> {
    const free = Math.min(claimed, parallel - reading, maxRunning - running.size);
    const fullHosts = [...readingByHost].flatMap(([host, count]) => (count >= perHost ? [host] : []));
    const claims = await claimPolls(services.store.pool, free, { fullHosts, leaseMs });
    for (const claim of claims) {
      const poll = startPoll(claim).finally(() => running.delete(poll));
      running.add(poll);
    }
    if (claims.length === free) return undefined;
    return fullHosts.length > 0 ? maxWaitMs : tickMs;
  }

  async function startPoll(claim: PollClaim): Promise<void> {
    let isReading = true;
    const host = hostOf(claim);
    const count = (change: number) => {
      reading += change;
      readingByHost.set(host, (readingByHost.get(host) ?? 0) + change);
    };
    const endReading = () => {
      if (!isReading) return;
      isReading = false;
      count(-1);
      onRead();
    };
    count(1);
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
   * Waits until there is room for a whole claim. Slow services delay it by at most `maxWaitMs`, unless every poll waits
   * for one.
   */
  async function waitForPolls(): Promise<void> {
    await Promise.race([untilReading(Math.max(0, parallel - claimed)), sleep(maxWaitMs)]);
    await untilReading(parallel - 1);
    if (running.size >= maxRunning) await Promise.race(running);
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await claimDue().catch((error: unknown) => {
        log.warn({ operation: 'poll', err: error }, 'could not claim polls');
        return tickMs;
      });
      if (waitMs === undefined) await waitForPolls();
      else await sleep(waitMs, undefined, { signal }).catch(() => {});
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
