import type { HistoryEntry } from '../../exchange/index.ts';
import { bounds } from '../../lib/bounds.ts';
import { createLimiter, type Limiter } from '../../lib/limiter.ts';
import { createSharedRuns, type SharedRuns } from '../../lib/shared-runs.ts';

/** What the work of all workspaces in a process shares. */
export interface SharedWork {
  /** Limits a workspace's calls to the service, so that none uses all connections. */
  calls: Limiter;
  /** Limits how many of a workspace's files are opened to find their types. */
  typeReads: Limiter;
  /** Limits how many inboxes that have changed are in memory. */
  changedInboxes: Limiter;
  historyReads: SharedRuns<HistoryReader, HistoryAnswer>;
}

export const createSharedWork = (): SharedWork => ({
  calls: createLimiter(bounds.callsPerWorkspace),
  typeReads: createLimiter(bounds.fileStarts),
  changedInboxes: createLimiter(bounds.changedInboxes),
  historyReads: createSharedRuns(),
});

export interface ReadEntry {
  entry: HistoryEntry;
  /** Approximate size in memory. */
  bytes: number;
  /** Identifies the entry; transfers store it. */
  hash(): string;
}

export interface HistoryReader {
  /** Called before the first entry, and again if the history is read again from the start. */
  begin?(): void;
  take(read: ReadEntry): void;
}

export type HistoryAnswer = { liveDrops: number | undefined };
