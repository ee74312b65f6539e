import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../world.ts';
import { NotThere } from './find.ts';

/** Looks again and again, as a person does who expects something, until it is there or patience ends. */
export async function waitFor<T>(world: World, look: () => T): Promise<T> {
  const end = performance.now() + world.behaviour.patienceMs;
  for (;;) {
    try {
      return look();
    } catch (error) {
      if (!(error instanceof NotThere) || performance.now() >= end || world.closed.signal.aborted) throw error;
    }
    await sleep(5);
  }
}
