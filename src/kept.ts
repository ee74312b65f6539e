/** Answers that are good for a while: asked for once by all who want them at a time, and so many of them at most. */
export interface Kept<T> {
  get(key: string, ask: () => Promise<T>): Promise<T>;
  forget(key: string): void;
}

export function keepAnswers<T>({ lifeMs, most }: { lifeMs: number; most: number }): Kept<T> {
  const kept = new Map<string, { at: number; answer: Promise<T> }>();
  return {
    get(key, ask) {
      const found = kept.get(key);
      if (found !== undefined && Date.now() - found.at < lifeMs) return found.answer;
      const entry = { at: Date.now(), answer: ask() };
      kept.delete(key);
      kept.set(key, entry);
      // A failure is nobody's answer but that of those who waited for it.
      entry.answer.catch(() => kept.get(key) === entry && kept.delete(key));
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      return entry.answer;
    },
    forget: (key) => void kept.delete(key),
  };
}
