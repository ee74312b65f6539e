import { bounds } from '../../bounds.ts';
import type { ReadEntry } from '../transfers/history.ts';

interface Dated {
  createdAt: number | undefined;
}

interface Ordered {
  createdAt: number;
  index: number;
}

/** Of entries with the same second, the last in the list is the newest, because services append. */
const newestFirst = (one: Ordered, other: Ordered) => other.createdAt - one.createdAt || other.index - one.index;

/**
 * Collects the newest `limit` transfers, shortened by `shorten`. Most entries of a history aren't among the newest, so
 * entries are buffered, and only those that remain after sorting are shortened.
 */
export function keepLatest<T extends Dated>(limit: number, shorten: (read: ReadEntry) => T) {
  let latest: (Ordered & { transfer: T })[] = [];
  let unsorted: (Ordered & { read: ReadEntry })[] = [];
  let unsortedBytes = 0;
  let count = 0;

  function prune(): void {
    const all = [...latest, ...unsorted].sort(newestFirst).slice(0, limit);
    latest = all.map((one) =>
      'transfer' in one ? one : { createdAt: one.createdAt, index: one.index, transfer: shorten(one.read) },
    );
    unsorted = [];
    unsortedBytes = 0;
  }

  return {
    clear() {
      latest = [];
      unsorted = [];
      unsortedBytes = 0;
      count = 0;
    },
    add(read: ReadEntry) {
      unsorted.push({ createdAt: read.entry.createdAt ?? 0, index: count, read });
      unsortedBytes += read.bytes;
      count += 1;
      if (unsorted.length >= bounds.unsortedEntries || unsortedBytes >= bounds.unsortedEntryBytes) prune();
    },
    count: () => count,
    sorted(): T[] {
      prune();
      return latest.map(({ transfer }) => transfer);
    },
  };
}
