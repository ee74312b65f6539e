import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Joins calls into batches. `run` gets the items of all calls in the same tick, or within `waitMs` of the first call.
 * All callers of a batch get the result of its run.
 */
export function createBatcher<T, R>(
  run: (items: readonly T[]) => Promise<R>,
  { waitMs }: { waitMs?: number } = {},
): (item: T) => Promise<R> {
  let batch: { items: T[]; result: Promise<R> } | undefined;

  async function runLater(items: T[]): Promise<R> {
    // Without `waitMs`, yield once so that callers in the same tick join the batch.
    await (waitMs === undefined ? undefined : sleep(waitMs));
    batch = undefined;
    return run(items);
  }

  return (item) => {
    if (batch === undefined) {
      const items: T[] = [];
      batch = { items, result: runLater(items) };
    }
    batch.items.push(item);
    return batch.result;
  };
}
