import { isDroplineError } from '../../errors.ts';
import type { Guard } from '../common/connection/guarded.ts';

/** Runs `work` with a guard that calls `checkState` before every call to the service, and every `everyMs`. */
export async function watch<T>(
  everyMs: number,
  outer: Guard,
  work: (guard: Guard) => Promise<T>,
  checkState: () => Promise<void>,
): Promise<T> {
  const controller = new AbortController();
  const signal = AbortSignal.any([outer.signal, controller.signal]);
  let isChecking = false;
  const timer = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    // A database error doesn't abort the work here: the guard checks again before the next call, and rejects then.
    await checkState().catch((error: unknown) => isDroplineError(error) && controller.abort(error));
    isChecking = false;
  }, everyMs);
  const check = async () => {
    signal.throwIfAborted();
    await outer.check();
    await checkState();
  };
  try {
    return await work({ signal, check });
  } finally {
    clearInterval(timer);
  }
}
