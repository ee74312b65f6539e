import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { withTimeout } from '../../src/exchange/abort.ts';

setFlagsFromString('--expose-gc');
const collect: (options?: { type: 'minor' }) => void = runInNewContext('gc');

test('an ended call frees its memory even if its abort signal stays in use', async () => {
  const { signal } = new AbortController();
  const startCall = () => {
    const memory = new Array(16_000).fill(0);
    let end = () => {};
    const result = withTimeout(
      60_000,
      signal,
      () => new Error(`${memory.length}`),
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    return async () => {
      end();
      await result;
    };
  };
  let endCall = startCall();
  // Moves the first call into the old generation. A minor collection keeps everything that is reachable from it.
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let count = 0; count < 200; count += 1) {
    const endNext = startCall();
    await endCall();
    endCall = endNext;
  }
  await endCall();
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  // If ended calls were kept alive, this would be 200 times 128 kB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
});

test("a call is aborted with the reason of the caller's signal", async () => {
  const controller = new AbortController();
  const reason = new Error('stopped');
  const call = withTimeout(60_000, controller.signal, undefined, async (signal) => {
    controller.abort(reason);
    signal.throwIfAborted();
  });
  await expect(call).rejects.toBe(reason);
});
