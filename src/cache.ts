/** Bounded TTL cache that coalesces concurrent loads. */
export interface Cache<T> {
  /** A value whose load started less than `ms` (by default `lifeMs`) ago. */
  get(key: string, load: () => Promise<T>, ms?: number): Promise<T>;
  /** Loads again even if the value is fresh. Starts after a pending load; concurrent callers share the next load. */
  renew(key: string, load: () => Promise<T>): Promise<T>;
  /** Serves the last value, even a stale one while it reloads. Waits only for the first load. */
  getStale(key: string, load: () => Promise<T>): Promise<T>;
  delete(key: string): void;
  forgetAll(isMeant: (key: string) => boolean): void;
}

export interface CacheOptions<T> {
  lifeMs: number;
  most: number;
  /** Older values are evicted; without it, `getStale` can return a value of any age. */
  oldMs?: number;
  /** Total weight of all values. The heaviest is evicted first, so a large one can't evict many small ones. */
  weight?: { most: number; of(value: T): number };
}

interface Entry<T> {
  at: number;
  answer: Promise<T>;
  isPending: boolean;
  last: { value: T; at: number; weight: number } | undefined;
}

/** A running load, and the next load that waits for its end. */
interface Pending<T> {
  next?: Promise<T>;
  loadNext?: () => void;
}

export function createCache<T>({ lifeMs, most, oldMs, weight }: CacheOptions<T>): Cache<T> {
  const cache = new Map<string, Entry<T>>();
  // Includes loads of keys that were forgotten or evicted since.
  const loading = new Map<string, Pending<T>>();

  function begin(key: string, load: () => Promise<T>): Promise<T> {
    const last = cache.get(key)?.last;
    const pending: Pending<T> = {};
    const entry: Entry<T> = { at: Date.now(), answer: (async () => load())(), isPending: true, last };
    loading.set(key, pending);
    cache.delete(key);
    cache.set(key, entry);
    const over = () => {
      entry.isPending = false;
      loading.delete(key);
      pending.loadNext?.();
      trim();
    };
    entry.answer.then(
      (value) => {
        entry.last = { value, at: entry.at, weight: weight?.of(value) ?? 0 };
        over();
      },
      () => {
        // A failure is not cached: only the callers that waited for it see it.
        if (cache.get(key) === entry) {
          if (entry.last === undefined) cache.delete(key);
          else Object.assign(entry, { at: Number.NEGATIVE_INFINITY, answer: Promise.resolve(entry.last.value) });
        }
        over();
      },
    );
    const [oldest] = cache.keys();
    if (cache.size > most && oldest !== undefined) cache.delete(oldest);
    return entry.answer;
  }

  function renew(key: string, load: () => Promise<T>): Promise<T> {
    const pending = loading.get(key);
    if (pending === undefined) return begin(key, load);
    pending.next ??= new Promise((resolve) => {
      pending.loadNext = () => resolve(begin(key, load));
    });
    return pending.next;
  }

  const get: Cache<T>['get'] = (key, load, ms = lifeMs) => {
    const found = cache.get(key);
    return found !== undefined && Date.now() - found.at < ms ? found.answer : renew(key, load);
  };

  function trim(): void {
    if (oldMs !== undefined) {
      for (const [key, { last }] of cache) if (last !== undefined && Date.now() - last.at >= oldMs) dropLast(key);
    }
    if (weight === undefined) return;
    const byWeight = [...cache].sort(([, a], [, b]) => (b.last?.weight ?? 0) - (a.last?.weight ?? 0));
    let total = byWeight.reduce((sum, [, { last }]) => sum + (last?.weight ?? 0), 0);
    for (const [key, { last }] of byWeight) {
      if (total <= weight.most) return;
      total -= last?.weight ?? 0;
      dropLast(key);
    }
  }

  function dropLast(key: string): void {
    const entry = cache.get(key);
    if (entry?.isPending) entry.last = undefined;
    else cache.delete(key);
  }

  return {
    get,
    renew,
    getStale(key, load) {
      trim();
      const { last, isPending, answer } = cache.get(key) ?? {};
      if (last === undefined) return (isPending && answer) || get(key, load);
      if (!isPending) get(key, load).catch(() => {}); // the caller already has a value
      return Promise.resolve(last.value);
    },
    delete: (key) => void cache.delete(key),
    forgetAll(isMeant) {
      for (const key of [...cache.keys()].filter(isMeant)) cache.delete(key);
    },
  };
}
