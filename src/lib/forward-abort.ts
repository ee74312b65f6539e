/**
 * Aborts the controller when the signal fires, until the returned function is called. That function also drops the
 * controller, because Node frees removed listeners of a shared signal late, with everything that they reference.
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
