import { setMaxListeners } from 'node:events';

/**
 * Runs `work` with a signal that fires when the caller's does or, if `ms` is given, after that time with the error of
 * `onLate`. Without `ms`, `work` gets the caller's own signal, which still works for a stream that outlives the call.
 */
export async function within<T>(
  ms: number | undefined,
  outer: AbortSignal | undefined,
  onLate: (() => Error) | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  // Many calls can share one signal (a job's, for example). That is no leak, but Node warns at eleven listeners.
  if (outer !== undefined) setMaxListeners(0, outer);
  if (ms === undefined) return work(outer ?? new AbortController().signal);
  const controller = new AbortController();
  const forward = () => controller.abort(outer?.reason);
  const timer = setTimeout(() => controller.abort(onLate?.()), ms);
  outer?.addEventListener('abort', forward, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', forward);
  }
}

/** Stops waiting when the signal fires. The work itself goes on, because other callers can be waiting for it too. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
