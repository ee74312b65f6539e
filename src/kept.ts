/** Answers that are good for a while: asked for once by all who want them at a time, and so many of them at most. */
export interface Kept<T> {
  /** An answer that was asked for less than `ms` (the cache's `lifeMs`) ago. */
  get(key: string, ask: () => Promise<T>, ms?: number): Promise<T>;
  /** Asks, however good the last answer still is. Never before a pending question is answered; those who wait share one. */
  renew(key: string, ask: () => Promise<T>): Promise<T>;
  /** The last answer, also one that is no longer good while a new one is being asked for; waits only for the first. */
  glance(key: string, ask: () => Promise<T>): Promise<T>;
  forget(key: string): void;
  forgetAll(isMeant: (key: string) => boolean): void;
}

export interface KeptOptions<T> {
  lifeMs: number;
  most: number;
  /** Older answers are forgotten; without it, a glance may return one of any age. */
  oldMs?: number;
  /** Of all answers together. The heaviest is forgotten first: a large one can't push out many small ones. */
  weight?: { most: number; of(value: T): number };
}

interface Entry<T> {
  at: number;
  answer: Promise<T>;
  isPending: boolean;
  last: { value: T; at: number; weight: number } | undefined;
}

/** A question that is being asked, and what waits for its end to ask again. */
interface Asking<T> {
  next?: Promise<T>;
  askNext?: () => void;
}

export function keepAnswers<T>({ lifeMs, most, oldMs, weight }: KeptOptions<T>): Kept<T> {
  const kept = new Map<string, Entry<T>>();
  // Also of what was forgotten or pushed out in the meantime.
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
        // A failure is nobody's answer but that of those who waited for it.
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
      if (!isPending) get(key, ask).catch(() => {}); // whoever glances has an answer
      return Promise.resolve(last.value);
    },
    forget: (key) => void kept.delete(key),
    forgetAll(isMeant) {
      for (const key of [...kept.keys()].filter(isMeant)) kept.delete(key);
    },
  };
}
