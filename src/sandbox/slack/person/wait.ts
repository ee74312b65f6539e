import { setTimeout as sleep } from 'node:timers/promises';
import { NotOnScreen } from '../client/not-on-screen.ts';
import type { World } from '../state/world.ts';

/**
 * Retries an attempt that throws `NotOnScreen`, until the timeout. Each attempt renders the screen, so the pause grows
 * from 5 to 30 ms.
 */
export async function waitFor<T>(world: World, attempt: () => T): Promise<T> {
  const deadline = performance.now() + world.behaviour.timeoutMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 30)) {
    try {
      return attempt();
    } catch (error) {
      if (!(error instanceof NotOnScreen) || performance.now() >= deadline || world.closed.signal.aborted) throw error;
    }
    await sleep(pauseMs);
  }
}
