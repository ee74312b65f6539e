/** Runs one task at a time per name. A new task replaces the one that waits. */
export interface LatestOnlyQueue {
  /** Resolves when no task of that name is left, or immediately if this task has to wait for another. */
  run(name: string, task: () => Promise<void>): Promise<void>;
  /** Resolves when no task of that name is running. */
  idle(name: string): Promise<void>;
}

export function createLatestOnlyQueue(): LatestOnlyQueue {
  const running = new Map<string, { next: (() => Promise<void>) | undefined; done: Promise<void> }>();

  async function runAll(name: string, first: () => Promise<void>): Promise<void> {
    try {
      for (let current: typeof first | undefined = first; current !== undefined; current = takeNext(name)) {
        await current().catch((error: unknown) => {
          // If another task follows, only the outcome of that one counts.
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
    async run(name, task) {
      const entry = running.get(name);
      if (entry !== undefined) {
        entry.next = task;
        return;
      }
      const done = runAll(name, task);
      running.set(name, { next: undefined, done });
      await done;
    },
    async idle(name) {
      await running.get(name)?.done.catch(() => {});
    },
  };
}
