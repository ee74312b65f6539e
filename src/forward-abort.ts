/**
 * Aborts the controller with the signal, until the returned function is called. Removed listeners of a shared signal
 * still point to each other, so Node frees them late. Without its controller, a listener is small.
 */
export function forwardAbort(signal: AbortSignal, controller: AbortController): () => void {
  let target: AbortController | undefined = controller;
  const forward = () => target?.abort(signal.reason);
  if (signal.aborted) forward();
  signal.addEventListener('abort', forward, { once: true });
  return () => {
    signal.removeEventListener('abort', forward);
    target = undefined;
  };
}
