/** Bounded TTL cache that coalesces concurrent loads. */
export interface Cache<T> {
  /** A value whose load started less than `ms` (by default `ttlMs`) ago. */
  get(key: string, load: () => Promise<T>, ms?: number): Promise<T>;
  /** Loads again even if the value is fresh. Waits for a pending load first; concurrent callers share the new load. */
  renew(key: string, load: () => Promise<T>): Promise<T>;
  /** Serves the last value, even a stale one while it reloads. Waits only for the first load. */
  getStale(key: string, load: () => Promise<T>): Promise<T>;
  delete(key: string): void;
  deleteWhere(matches: (key: string) => boolean): void;
}

export interface CacheOptions<T> {
  ttlMs: number;
  maxEntries: number;
  /** Older values are evicted. Without this limit, `getStale` can return a value of any age. */
  maxAgeMs?: number;
  /** Total weight of all values. The heaviest is evicted first, so a large one can't evict many small ones. */
  weight?: { maxTotal: number; of(value: T): number };
}

interface Entry<T> {
  at: number;
  result: Promise<T>;
  isPending: boolean;
  last: { value: T; at: number; weight: number } | undefined;
}

/** A running load, and the next load that waits for its end. */
interface Pending<T> {
  next?: Promise<T>;
  loadNext?: () => void;
}

export function createCache<T>({ ttlMs, maxEntries, maxAgeMs, weight }: CacheOptions<T>): Cache<T> {
  const cache = new Map<string, Entry<T>>();
  // Includes loads whose key was deleted or evicted after they started.
  const loading = new Map<string, Pending<T>>();

  function startLoad(key: string, load: () => Promise<T>): Promise<T> {
    const last = cache.get(key)?.last;
    const pending: Pending<T> = {};
    const entry: Entry<T> = { at: Date.now(), result: (async () => load())(), isPending: true, last };
    loading.set(key, pending);
    cache.delete(key);
    cache.set(key, entry);
    const finish = () => {
      entry.isPending = false;
      loading.delete(key);
      pending.loadNext?.();
      trim();
    };
    entry.result.then(
      (value) => {
        entry.last = { value, at: entry.at, weight: weight?.of(value) ?? 0 };
        finish();
      },
      () => {
        // Failures aren't cached: only the callers of this load see it fail.
        if (cache.get(key) === entry) {
          if (entry.last === undefined) cache.delete(key);
          else Object.assign(entry, { at: Number.NEGATIVE_INFINITY, result: Promise.resolve(entry.last.value) });
        }
        finish();
      },
    );
    const [oldest] = cache.keys();
    if (cache.size > maxEntries && oldest !== undefined) cache.delete(oldest);
    return entry.result;
  }

  function renew(key: string, load: () => Promise<T>): Promise<T> {
    const pending = loading.get(key);
    if (pending === undefined) return startLoad(key, load);
    pending.next ??= new Promise((resolve) => {
      pending.loadNext = () => resolve(startLoad(key, load));
    });
    return pending.next;
  }

  const get: Cache<T>['get'] = (key, load, ms = ttlMs) => {
    const found = cache.get(key);
    return found !== undefined && Date.now() - found.at < ms ? found.result : renew(key, load);
  };

  function trim(): void {
    if (maxAgeMs !== undefined) {
      for (const [key, { last }] of cache) if (last !== undefined && Date.now() - last.at >= maxAgeMs) evict(key);
    }
    if (weight === undefined) return;
    const byWeight = [...cache].sort(([, a], [, b]) => (b.last?.weight ?? 0) - (a.last?.weight ?? 0));
    let total = byWeight.reduce((sum, [, { last }]) => sum + (last?.weight ?? 0), 0);
    for (const [key, { last }] of byWeight) {
      if (total <= weight.maxTotal) return;
      total -= last?.weight ?? 0;
      evict(key);
    }
  }

  function evict(key: string): void {
    const entry = cache.get(key);
    if (entry?.isPending) entry.last = undefined;
    else cache.delete(key);
  }

  return {
    get,
    renew,
    getStale(key, load) {
      trim();
      const { last, isPending, result } = cache.get(key) ?? {};
      if (last === undefined) return (isPending && result) || get(key, load);
      if (!isPending) get(key, load).catch(() => {}); // the caller already has a value
      return Promise.resolve(last.value);
    },
    delete: (key) => void cache.delete(key),
    deleteWhere(matches) {
      for (const key of [...cache.keys()].filter(matches)) cache.delete(key);
    },
  };
}
