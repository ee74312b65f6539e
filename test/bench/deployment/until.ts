import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `isDone`. Polls rarely enough not to affect the measurement. */
export async function until(
  isDone: () => boolean | Promise<boolean>,
  what: string,
  { everyMs = 25, timeoutMs = 120_000 } = {},
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(`timed out waiting for ${what}`);
    await sleep(everyMs);
  }
}
