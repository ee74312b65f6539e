/** Bounded TTL cache that coalesces concurrent loads. */
export interface Kept<T> {
  /** A value whose load started less than `ms` (by default `lifeMs`) ago. */
  get(key: string, ask: () => Promise<T>, ms?: number): Promise<T>;
  /** Loads again even if the value is fresh. Starts after a pending load; concurrent callers share the next load. */
  renew(key: string, ask: () => Promise<T>): Promise<T>;
  /** Serves the last value, even a stale one while it reloads. Waits only for the first load. */
  glance(key: string, ask: () => Promise<T>): Promise<T>;
  forget(key: string): void;
  forgetAll(isMeant: (key: string) => boolean): void;
}

export interface KeptOptions<T> {
  lifeMs: number;
  most: number;
  /** Older values are evicted; without it, `glance` can return a value of any age. */
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
interface Asking<T> {
  next?: Promise<T>;
  askNext?: () => void;
}

export function keepAnswers<T>({ lifeMs, most, oldMs, weight }: KeptOptions<T>): Kept<T> {
  const kept = new Map<string, Entry<T>>();
  // Includes loads of keys that were forgotten or evicted since.
  const askingNow = new Map<string, Asking<T>>();

  function begin(key: string, ask: () => Promise<T>): Promise<T> {
    const last = kept.get(key)?.last;
    const asking: Asking<T> = {};
    const entry: Entry<T> = { at: Date.now(), answer: (async () => ask())(), isPending: true, last };
    askingNow.set(key, asking);
    kept.delete(key);
    kept.set(key, entry);
    const over = () => {
      entry.isPending = false;
      askingNow.delete(key);
      asking.askNext?.();
      trim();
    };
    entry.answer.then(
      (value) => {
        entry.last = { value, at: entry.at, weight: weight?.of(value) ?? 0 };
        over();
      },
      () => {
        // A failure is not cached: only the callers that waited for it see it.
        if (kept.get(key) === entry) {
          if (entry.last === undefined) kept.delete(key);
          else Object.assign(entry, { at: Number.NEGATIVE_INFINITY, answer: Promise.resolve(entry.last.value) });
        }
        over();
      },
    );
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return entry.answer;
  }

  function renew(key: string, ask: () => Promise<T>): Promise<T> {
    const asking = askingNow.get(key);
    if (asking === undefined) return begin(key, ask);
    asking.next ??= new Promise((resolve) => {
      asking.askNext = () => resolve(begin(key, ask));
    });
    return asking.next;
  }

  const get: Kept<T>['get'] = (key, ask, ms = lifeMs) => {
    const found = kept.get(key);
    return found !== undefined && Date.now() - found.at < ms ? found.answer : renew(key, ask);
  };

  function trim(): void {
    if (oldMs !== undefined) {
      for (const [key, { last }] of kept) if (last !== undefined && Date.now() - last.at >= oldMs) dropLast(key);
    }
    if (weight === undefined) return;
    const byWeight = [...kept].sort(([, a], [, b]) => (b.last?.weight ?? 0) - (a.last?.weight ?? 0));
    let total = byWeight.reduce((sum, [, { last }]) => sum + (last?.weight ?? 0), 0);
    for (const [key, { last }] of byWeight) {
      if (total <= weight.most) return;
      total -= last?.weight ?? 0;
      dropLast(key);
    }
  }

  function dropLast(key: string): void {
    const entry = kept.get(key);
    if (entry?.isPending) entry.last = undefined;
    else kept.delete(key);
  }

  return {
    get,
    renew,
    glance(key, ask) {
      trim();
      const { last, isPending, answer } = kept.get(key) ?? {};
      if (last === undefined) return (isPending && answer) || get(key, ask);
      if (!isPending) get(key, ask).catch(() => {}); // the caller already has a value
      return Promise.resolve(last.value);
    },
    forget: (key) => void kept.delete(key),
    forgetAll(isMeant) {
      for (const key of [...kept.keys()].filter(isMeant)) kept.delete(key);
    },
  };
}
