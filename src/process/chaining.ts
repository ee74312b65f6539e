import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../features/common/services.ts';

/** Extends the audit chains with what was committed, until stopped. Several processes can do this. */
export function startChaining({ store, log }: Pick<Services, 'store' | 'log'>, everyMs = 5_000): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const quietLog = store.quiet(log);
  async function loop(): Promise<void> {
    while (!signal.aborted) {
      const count = await store.chains.extend().catch((error: unknown) => {
        quietLog.warn({ operation: 'chain', err: error }, 'could not chain audit entries');
        return 0;
      });
      if (count === 0) await sleep(everyMs, undefined, { signal }).catch(() => {});
    }
  }
  const looping = loop();
  return async () => {
    stopping.abort();
    await looping;
  };
}
