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
 * Keeps the newest `most` transfers, shortened by `shorten`. Most entries of a history aren't among the newest, so
 * entries are buffered first, and only those that stay are shortened.
 */
export function keepLatest<T extends Dated>(most: number, shorten: (read: ReadEntry) => T) {
  let latest: (Ordered & { transfer: T })[] = [];
  let waiting: (Ordered & { read: ReadEntry })[] = [];
  let waitingBytes = 0;
  let count = 0;

  function prune(): void {
    const all = [...latest, ...waiting].sort(newestFirst).slice(0, most);
    latest = all.map((one) =>
      'transfer' in one ? one : { createdAt: one.createdAt, index: one.index, transfer: shorten(one.read) },
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
      waiting.push({ createdAt: read.entry.createdAt ?? 0, index: count, read });
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
