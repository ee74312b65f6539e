/** So many who wait make one more begin at a time: a crowd is not kept waiting for ever. */
const crowd = 200;

/**
 * What was acknowledged begins one at a time, in order, and what has come in meanwhile is looked at in between. In a rush
 * Slack hears from us in time before the first of it is done: work takes several times as long as an acknowledgement.
 * Who has begun is not waited for: one that hangs holds up no other.
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
