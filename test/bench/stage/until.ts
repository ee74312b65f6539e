import { setTimeout as sleep } from 'node:timers/promises';

/** Polls, but not so often that polling affects the measurement. */
export async function until(
  look: () => boolean | Promise<boolean>,
  what: string,
  { everyMs = 25, patienceMs = 120_000 } = {},
): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
    await sleep(everyMs);
  }
}
