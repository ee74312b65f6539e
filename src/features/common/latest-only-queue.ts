/** One task at a time per name; only the most recent waits. */
export interface LatestOnlyQueue {
  /** Resolves when the work is done, or at once if it has to wait: the running call then continues with it. */
  run(name: string, work: () => Promise<void>): Promise<void>;
  /** Resolves when no work of that name is running. */
  idle(name: string): Promise<void>;
}

export function createLatestOnlyQueue(): LatestOnlyQueue {
  const running = new Map<string, { next: (() => Promise<void>) | undefined; done: Promise<void> }>();

  async function work(name: string, first: () => Promise<void>): Promise<void> {
    try {
      for (let now: typeof first | undefined = first; now !== undefined; now = takeNext(name)) {
        await now().catch((error: unknown) => {
          // The next task makes up for it.
          if (running.get(name)?.next === undefined) throw error;
        });
      }
    } finally {
      running.delete(name);
    }
  }

  function takeNext(name: string) {
    const entry = running.get(name);
    const next = entry?.next;
    if (entry !== undefined) entry.next = undefined;
    return next;
  }

  return {
    async run(name, doing) {
      const entry = running.get(name);
      if (entry !== undefined) {
        entry.next = doing;
        return;
      }
      const done = work(name, doing);
      running.set(name, { next: undefined, done });
      await done;
    },
    async idle(name) {
      await running.get(name)?.done.catch(() => {});
    },
  };
}
