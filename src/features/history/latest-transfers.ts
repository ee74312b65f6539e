import { bounds } from '../../bounds.ts';
import type { ReadEntry } from '../transfers/history.ts';

interface Dated {
  createdAt: number | undefined;
}

interface Ordered {
  createdAt: number;
  at: number;
}

/** Within one second, the later entry of the list comes first: services append. */
const newestFirst = (one: Ordered, other: Ordered) => other.createdAt - one.createdAt || other.at - one.at;

/**
 * Keeps the newest `most` transfers, shortened by `shorten`. Newer entries push out most of a history, so entries wait
 * in a small buffer as they are, and only those that stay are shortened.
 */
export function keepLatest<T extends Dated>(most: number, shorten: (read: ReadEntry) => T) {
  let latest: (Ordered & { transfer: T })[] = [];
  let waiting: (Ordered & { read: ReadEntry })[] = [];
  let waitingBytes = 0;
  let count = 0;

  function prune(): void {
    const all = [...latest, ...waiting].sort(newestFirst).slice(0, most);
    latest = all.map((one) =>
      'transfer' in one ? one : { createdAt: one.createdAt, at: one.at, transfer: shorten(one.read) },
    );
    waiting = [];
    waitingBytes = 0;
  }

  return {
    clear() {
      latest = [];
      waiting = [];
      waitingBytes = 0;
      count = 0;
    },
    add(read: ReadEntry) {
      waiting.push({ createdAt: read.entry.createdAt ?? 0, at: count, read });
      waitingBytes += read.bytes;
      count += 1;
      if (waiting.length >= bounds.unsortedEntries || waitingBytes >= bounds.unsortedEntryBytes) prune();
    },
    count: () => count,
    sorted(): T[] {
      prune();
      return latest.map(({ transfer }) => transfer);
    },
  };
}
