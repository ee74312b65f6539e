/** One extra task is started per this many queued, so that the queue drains under load. */
const queuedPerExtraTask = 200;

/**
 * Starts queued tasks one per event loop iteration, so that new requests are acknowledged in between. A task takes
 * several times as long as an acknowledgement; without the queue, acknowledgements would be late under load. Doesn't
 * wait until a task ends, so a task that hangs doesn't block the others.
 */
export function createStartQueue(): () => Promise<void> {
  const waiting: (() => void)[] = [];

  function startNext(): void {
    for (const start of waiting.splice(0, 1 + Math.floor(waiting.length / queuedPerExtraTask))) start();
    if (waiting.length > 0) setImmediate(startNext);
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(startNext);
    });
}
