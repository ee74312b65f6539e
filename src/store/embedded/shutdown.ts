import type { Log } from './log.ts';
import { goneWithin, isPostmasterOf } from './processes.ts';

export interface ShutdownLimits {
  /** Fast: open transactions are rolled back, everything is written. */
  fastMs: number;
  /** Immediate: like a crash, from which the next start recovers. */
  immediateMs: number;
}

/** Ends the Postgres of this data and waits until it is gone, by ever harder means. Nothing acknowledged is lost. */
export async function shutDown(cluster: string, pid: number, limits: ShutdownLimits, log: Log): Promise<void> {
  const steps = [
    { signal: 'SIGINT', ms: limits.fastMs },
    { signal: 'SIGQUIT', ms: limits.immediateMs },
    { signal: 'SIGKILL', ms: limits.immediateMs },
  ] as const;
  for (const { signal, ms } of steps) {
    if (!(await isPostmasterOf(cluster, pid))) return;
    if (signal !== 'SIGINT') log.warn({ pid, signal }, 'Postgres does not stop: using a harder signal');
    kill(pid, signal);
    if (await goneWithin(ms, cluster, pid)) return;
  }
  log.warn({ pid }, 'Postgres did not stop');
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone between the look and the signal.
  }
}
