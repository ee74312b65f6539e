import { LRUCache } from 'lru-cache';

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
  /** Limits the total weight. The heaviest value is evicted first, so a large one can't evict many small ones. */
  weight?: { maxTotal: number; of(value: T): number };
}

/** A loaded value. It is wrapped, because lru-cache treats undefined as no value. */
interface Entry<T> {
  value: T;
  /** When its load started. */
  at: number;
  weight: number;
  /** A later load failed, so only `getStale` can serve it. */
  isOutdated: boolean;
}

interface Load<T> {
  at: number;
  result: Promise<T>;
  /** The key was deleted after the load started, so the value isn't stored. */
  isDeleted: boolean;
  /** The load that starts when this one ends, and the function that starts it. */
  next?: Promise<T>;
  startNext?: () => void;
}

export function createCache<T>({ ttlMs, maxEntries, maxAgeMs, weight }: CacheOptions<T>): Cache<T> {
  const entries = new LRUCache<string, Entry<T>>({ max: maxEntries });
  // Don't use lru-cache's fetch(): it rejects a load if its key is deleted or evicted.
  const loads = new Map<string, Load<T>>();

  function startLoad(key: string, load: () => Promise<T>): Promise<T> {
    const started: Load<T> = { at: Date.now(), result: (async () => load())(), isDeleted: false };
    loads.set(key, started);
    const finish = () => {
      loads.delete(key);
      started.startNext?.();
      trim();
    };
    started.result.then(
      (value) => {
        const entry = { value, at: started.at, weight: weight?.of(value) ?? 0, isOutdated: false };
        if (!started.isDeleted) entries.set(key, entry);
        finish();
      },
      () => {
        // Failures aren't cached: only the callers of this load see it fail.
        const last = entries.get(key);
        if (last !== undefined) last.isOutdated = true;
        finish();
      },
    );
    return started.result;
  }

  function renew(key: string, load: () => Promise<T>): Promise<T> {
    const pending = loads.get(key);
    if (pending === undefined) return startLoad(key, load);
    pending.next ??= new Promise((resolve) => {
      pending.startNext = () => resolve(startLoad(key, load));
    });
    return pending.next;
  }

  const get: Cache<T>['get'] = async (key, load, ms = ttlMs) => {
    // The age is negative after the clock was set back. The value could be of any age then.
    const isFresh = ({ at }: { at: number }) => Date.now() >= at && Date.now() - at < ms;
    const pending = loads.get(key);
    if (pending !== undefined) {
      return !pending.isDeleted && isFresh(pending) ? pending.result : renew(key, load);
    }
    const entry = entries.get(key);
    return entry !== undefined && !entry.isOutdated && isFresh(entry) ? entry.value : renew(key, load);
  };

  function trim(): void {
    if (maxAgeMs !== undefined) {
      for (const [key, { at }] of entries.entries()) if (Date.now() - at >= maxAgeMs) entries.delete(key);
    }
    if (weight === undefined) return;
    const heaviestFirst = [...entries.entries()].sort(([, a], [, b]) => b.weight - a.weight);
    let total = heaviestFirst.reduce((sum, [, entry]) => sum + entry.weight, 0);
    for (const [key, entry] of heaviestFirst) {
      if (total <= weight.maxTotal) return;
      total -= entry.weight;
      entries.delete(key);
    }
  }

  function deleteKey(key: string): void {
    entries.delete(key);
    const pending = loads.get(key);
    if (pending !== undefined) pending.isDeleted = true;
  }

  return {
    get,
    renew,
    async getStale(key, load) {
      trim();
      const entry = entries.get(key);
      const pending = loads.get(key);
      if (entry === undefined) return pending?.isDeleted === false ? pending.result : get(key, load);
      if (pending === undefined) get(key, load).catch(() => {}); // the caller already has a value
      return entry.value;
    },
    delete: deleteKey,
    deleteWhere(matches) {
      for (const key of [...entries.keys(), ...loads.keys()].filter(matches)) deleteKey(key);
    },
  };
}

/** Derives a value from an object once, and keeps it as long as the object. The object must never change. */
export function memoize<K extends object, T>(derive: (object: K) => T): (object: K) => T {
  const values = new WeakMap<K, { value: T }>();
  return (object) => {
    const memoized = values.get(object) ?? { value: derive(object) };
    values.set(object, memoized);
    return memoized.value;
  };
}
