import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';

/**
 * Reads the file `postmaster.pid`, which Postgres keeps in its data folder while it runs. A killed Postgres leaves it
 * behind.
 */
export async function readLockFile(cluster: string) {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // pid, data folder, start time, port, socket folder, TCP address, shared memory, status
  const [pid, , , port, socketFolder, , , status] = text.split('\n').map((line) => line.trim());
  if (pid === undefined || !/^\d+$/.test(pid)) return undefined;
  return { pid: Number(pid), port: Number(port), socketFolder: socketFolder ?? '', ready: status === 'ready' };
}

/**
 * Whether this process is the Postgres of this data, and not another process with a reused pid. The data folder is
 * always on its command line (see settings.ts). A zombie has no command line.
 */
export async function isPostmasterOf(cluster: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return line.includes(`\0-D\0${cluster}\0`);
  }
  return (await commandOf(pid)).includes(` -D ${cluster} `);
}

function commandOf(pid: number): Promise<string> {
  return new Promise((resolve) => {
    execFile('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)], (_error, stdout) => resolve(stdout));
  });
}

/** Resolves with whether the process ended in time. */
async function endsWithin(ms: number, cluster: string, pid: number): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (await isPostmasterOf(cluster, pid)) {
    if (Date.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}

export interface ShutdownLimits {
  /** Fast shutdown: rolls back open transactions and writes everything. */
  fastMs: number;
  /** Immediate shutdown: like a crash, from which the next start recovers. */
  immediateMs: number;
}

/** Stops the Postgres of this data, with stronger signals if it doesn't end. No acknowledged write is lost. */
export async function shutDown(
  cluster: string,
  pid: number,
  limits: ShutdownLimits,
  log: Pick<Log, 'warn'>,
): Promise<void> {
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
