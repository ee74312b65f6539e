/** Answers that are good for a while: asked for once by all who want them at a time, and so many of them at most. */
export interface Kept<T> {
  get(key: string, ask: () => Promise<T>): Promise<T>;
  /** Asks, however good the last answer still is. */
  renew(key: string, ask: () => Promise<T>): Promise<T>;
  /** The last answer, also one that is no longer good while a new one is being asked for; waits only for the first. */
  glance(key: string, ask: () => Promise<T>): Promise<T>;
  forget(key: string): void;
  forgetAll(isMeant: (key: string) => boolean): void;
}

interface Entry<T> {
  at: number;
  answer: Promise<T>;
  isPending: boolean;
  last: { value: T } | undefined;
}

export function keepAnswers<T>({ lifeMs, most }: { lifeMs: number; most: number }): Kept<T> {
  const kept = new Map<string, Entry<T>>();

  function renew(key: string, ask: () => Promise<T>): Promise<T> {
    const last = kept.get(key)?.last;
    const entry: Entry<T> = { at: Date.now(), answer: ask(), isPending: true, last };
    kept.delete(key);
    kept.set(key, entry);
    entry.answer.then(
      (value) => Object.assign(entry, { isPending: false, last: { value } }),
      () => {
        if (kept.get(key) !== entry) return;
        // A failure is nobody's answer but that of those who waited for it.
        if (last === undefined) kept.delete(key);
        else
          kept.set(key, { at: Number.NEGATIVE_INFINITY, answer: Promise.resolve(last.value), isPending: false, last });
      },
    );
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return entry.answer;
  }

  const get: Kept<T>['get'] = (key, ask) => {
    const found = kept.get(key);
    return found !== undefined && Date.now() - found.at < lifeMs ? found.answer : renew(key, ask);
  };

  return {
    get,
    renew,
    glance(key, ask) {
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
