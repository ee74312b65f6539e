export type Limiter = ReturnType<typeof createLimiter>;

interface KeyQueue {
  running: number;
  waiting: Set<() => void>;
}

/** Limits concurrent work per key. Further work waits in order of arrival. */
export function createLimiter(maxConcurrent: number) {
  const queues = new Map<string, KeyQueue>();

  async function waitInQueue(queue: KeyQueue, signal: AbortSignal | undefined): Promise<void> {
    if (queue.running < maxConcurrent) {
      queue.running++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const stopWaiting = () => {
        queue.waiting.delete(start);
        signal?.removeEventListener('abort', abort);
      };
      const start = () => {
        stopWaiting();
        resolve();
      };
      const abort = () => {
        stopWaiting();
        reject(signal?.reason);
      };
      queue.waiting.add(start);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Resolves once a slot is free, with a function that frees it. Rejects with the signal's reason if that fires before. */
  async function acquire(key: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const queue = queues.get(key) ?? { running: 0, waiting: new Set() };
    queues.set(key, queue);
    await waitInQueue(queue, signal);
    return () => {
      const [next] = queue.waiting;
      // The slot passes directly to the next waiter, so a new caller can't take it.
      if (next !== undefined) next();
      else if (--queue.running === 0) queues.delete(key);
    };
  }

  return {
    acquire,
    /** Runs `work` once a slot is free. Rejects with the signal's reason if the signal fires during the wait. */
    async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      const free = await acquire(key, signal);
      try {
        return await work();
      } finally {
        free();
      }
    },
    /** Whether work for this key would have to wait. */
    isFull: (key: string): boolean => (queues.get(key)?.running ?? 0) >= maxConcurrent,
  };
}
