import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../world.ts';
import { NotThere } from './find.ts';

/** Polls until it is there or time is up: often at first, then every 30 ms, because each look renders the screen. */
export async function waitFor<T>(world: World, look: () => T): Promise<T> {
  const end = performance.now() + world.behaviour.patienceMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 30)) {
    try {
      return look();
    } catch (error) {
      if (!(error instanceof NotThere) || performance.now() >= end || world.closed.signal.aborted) throw error;
    }
    await sleep(pauseMs);
  }
}
