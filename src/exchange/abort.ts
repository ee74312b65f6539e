import { setMaxListeners } from 'node:events';
import { forwardAbort } from '../lib/forward-abort.ts';

/**
 * Runs `work` with a signal that fires with the caller's signal, or after `ms` with the error that `timeoutError`
 * creates. Without `ms`, `work` gets the caller's own signal, which also aborts a stream that outlives the call.
 */
export async function withTimeout<T>(
  ms: number | undefined,
  callerSignal: AbortSignal | undefined,
  timeoutError: (() => Error) | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  callerSignal?.throwIfAborted();
  // Many calls can share one signal, such as a job's. That isn't a leak, but Node warns above ten listeners.
  if (callerSignal !== undefined) setMaxListeners(0, callerSignal);
  if (ms === undefined) return work(callerSignal ?? new AbortController().signal);
  const controller = new AbortController();
  const stopForwarding = callerSignal && forwardAbort(callerSignal, controller);
  const timer = setTimeout(() => controller.abort(timeoutError?.()), ms);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    stopForwarding?.();
  }
}

/** Stops waiting when the signal fires. The work itself continues, because other callers can be waiting for it too. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
