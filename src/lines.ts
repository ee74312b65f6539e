/** Limits concurrent work per key; the rest waits in order of arrival. */
export interface Lines {
  /** Runs `work` when it is its turn. Rejects with the signal's reason if that fires during the wait. */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Whether work for this key would have to wait. */
  isFull(key: string): boolean;
}

interface Line {
  running: number;
  waiting: Set<() => void>;
}

export function createLines(most: number): Lines {
  const lines = new Map<string, Line>();

  async function turn(line: Line, signal: AbortSignal | undefined): Promise<void> {
    if (line.running < most) {
      line.running++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        line.waiting.delete(go);
        signal?.removeEventListener('abort', giveUp);
      };
      const go = () => {
        leave();
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(signal?.reason);
      };
      line.waiting.add(go);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  return {
    async run(key, work, signal) {
      signal?.throwIfAborted();
      const line = lines.get(key) ?? { running: 0, waiting: new Set() };
      lines.set(key, line);
      await turn(line, signal);
      try {
        return await work();
      } finally {
        const [next] = line.waiting;
        // The slot passes to the next in line, so a new caller can't take it.
        if (next !== undefined) next();
        else if (--line.running === 0) lines.delete(key);
      }
    },
    isFull: (key) => (lines.get(key)?.running ?? 0) >= most,
  };
}
