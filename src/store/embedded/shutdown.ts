import type { Log } from './log.ts';
import { endsWithin, isPostmasterOf } from './processes.ts';

export interface ShutdownLimits {
  /** Fast shutdown: rolls back open transactions and writes everything. */
  fastMs: number;
  /** Immediate shutdown: like a crash, from which the next start recovers. */
  immediateMs: number;
}

/** Stops the Postgres of this data, with stronger signals if it doesn't end. No acknowledged write is lost. */
export async function shutDown(cluster: string, pid: number, limits: ShutdownLimits, log: Log): Promise<void> {
  const steps = [
    { signal: 'SIGINT', ms: limits.fastMs },
    { signal: 'SIGQUIT', ms: limits.immediateMs },
    { signal: 'SIGKILL', ms: limits.immediateMs },
  ] as const;
  for (const { signal, ms } of steps) {
    if (!(await isPostmasterOf(cluster, pid))) return;
    if (signal !== 'SIGINT') log.warn({ pid, signal }, 'Postgres does not stop: sending a stronger signal');
    kill(pid, signal);
    if (await endsWithin(ms, cluster, pid)) return;
  }
  log.warn({ pid }, 'Postgres did not stop');
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended between the check and the signal.
  }
}
