import { bounds } from '../../bounds.ts';
import type { ReadEntry } from './reading.ts';

interface Dated {
  createdAt: number | undefined;
}

interface Ordered {
  createdAt: number;
  at: number;
}

/** Of one second, the later in the list comes first: services append. */
const newestFirst = (one: Ordered, other: Ordered) => other.createdAt - one.createdAt || other.at - one.at;

/**
 * Keeps the newest drops, so many and no more, as short as `shorten` makes them. Most entries of a history are pushed
 * out by newer ones: they wait whole, a few at a time, and only those that stay are shortened.
 */
export function keepLatest<T extends Dated>(most: number, shorten: (read: ReadEntry) => T) {
  let kept: (Ordered & { drop: T })[] = [];
  let waiting: (Ordered & { read: ReadEntry })[] = [];
  let waitingBytes = 0;
  let count = 0;

  function prune(): void {
    const all = [...kept, ...waiting].sort(newestFirst).slice(0, most);
    kept = all.map((one) => ('drop' in one ? one : { createdAt: one.createdAt, at: one.at, drop: shorten(one.read) }));
    waiting = [];
    waitingBytes = 0;
  }

  return {
    clear() {
      kept = [];
      waiting = [];
      waitingBytes = 0;
      count = 0;
    },
    add(read: ReadEntry) {
      waiting.push({ createdAt: read.entry.createdAt ?? 0, at: count, read });
      waitingBytes += read.bytes;
      count += 1;
      if (waiting.length >= bounds.waitingDrops || waitingBytes >= bounds.waitingDropBytes) prune();
    },
    count: () => count,
    sorted(): T[] {
      prune();
      return kept.map(({ drop }) => drop);
    },
  };
}
