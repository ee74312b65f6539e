import { isDroplineError } from '../../errors.ts';
import type { Guard } from '../guarded.ts';

/** Runs `work` behind a fence that also holds what `look` finds out, before every call and every `everyMs` in between. */
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
    // A database that does not answer now is no reason to stop: the next call will ask again, and then it is.
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
