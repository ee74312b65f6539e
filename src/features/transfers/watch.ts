import { isDroplineError } from '../../errors.ts';
import type { Guard } from '../common/connection/guarded.ts';

/** Runs `work` with a guard that also calls `look`, before every call and every `everyMs` in between. */
export async function watch<T>(
  everyMs: number,
  outer: Guard,
  work: (guard: Guard) => Promise<T>,
  look: () => Promise<void>,
): Promise<T> {
  const controller = new AbortController();
  const signal = AbortSignal.any([outer.signal, controller.signal]);
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    // A database error here doesn't stop the work: the check before the next call looks again, and fails then.
    await look().catch((error: unknown) => isDroplineError(error) && controller.abort(error));
    looking = false;
  }, everyMs);
  const check = async () => {
    signal.throwIfAborted();
    await outer.check();
    await look();
  };
  try {
    return await work({ signal, check });
  } finally {
    clearInterval(timer);
  }
}
