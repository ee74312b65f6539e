/** Start one extra task per this many queued, so that the queue drains under load. */
const crowd = 200;

/**
 * Starts acknowledged work one task at a time, in order, and lets new requests in between. Work takes several times as
 * long as an acknowledgement, so under load this lets all acknowledgements go out in time. Doesn't wait for started
 * tasks to end: one that hangs holds up no other.
 */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];

  function begin(): void {
    for (const go of waiting.splice(0, 1 + Math.floor(waiting.length / crowd))) go();
    if (waiting.length > 0) setImmediate(begin);
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(begin);
    });
}
