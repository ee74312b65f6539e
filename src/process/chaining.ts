import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Services } from '../features/common/services.ts';
import type { ChainedEntry } from '../store/index.ts';

interface ChainingOptions {
  auditLog?: Config['auditLog'];
  everyMs?: number;
}

/**
 * Extends the audit chains with what was committed, and logs what has its place, until stopped. Several processes can do
 * this.
 */
export function startChaining(
  { store, log }: Pick<Services, 'store' | 'log'>,
  { auditLog = 'false', everyMs = 5_000 }: ChainingOptions = {},
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const quietLog = store.quiet(log);
  const chain = () =>
    store.chains.extend().catch((error: unknown) => {
      quietLog.warn({ operation: 'chain', err: error }, 'could not chain audit entries');
      return 0;
    });
  const write = async () => {
    if (auditLog === 'false') return 0;
    return store.chains
      .log((entries) => print(entries, auditLog))
      .catch((error: unknown) => {
        quietLog.warn({ operation: 'chain', err: error }, 'could not log audit entries');
        return 0;
      });
  };
  async function loop(): Promise<void> {
    while (!signal.aborted) {
      const count = (await chain()) + (await write());
      if (count === 0) await sleep(everyMs, undefined, { signal }).catch(() => {});
    }
  }
  const looping = loop();
  return async () => {
    stopping.abort();
    await looping;
  };
}

/** Writes one line per entry to standard output. Resolves when the system has all of them. */
function print(entries: readonly ChainedEntry[], auditLog: 'true' | 'ids'): Promise<void> {
  const lineOf = ({ details, ...ids }: ChainedEntry) =>
    JSON.stringify({
      level: 'info',
      time: ids.at,
      audit: auditLog === 'ids' ? ids : { ...ids, details },
      msg: 'audit',
    });
  const text = entries.map((entry) => `${lineOf(entry)}\n`).join('');
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())));
}
