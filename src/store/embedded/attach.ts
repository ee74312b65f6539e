import { setTimeout as sleep } from 'node:timers/promises';
import { errorLineOf } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';
import type { Folders } from './folders.ts';
import { launch, type Settings } from './launch.ts';
import { isPostmasterOf, readLockFile } from './postmaster.ts';
import { serverLogOf } from './server-log.ts';
import { takeShare } from './server-share.ts';
import type { Binaries } from './staging.ts';

export interface AttachOptions {
  folders: Folders;
  binaries: Binaries;
  settings: Settings;
  startMs: number;
}

export type Attached = Awaited<ReturnType<typeof attach>>;

/**
 * Attaches to the server of this data, and starts it if none is running. The loop retries while the state changes: a
 * server can be starting, recovering or stopping, another process can start one at the same time, and the last
 * processes of a killed server keep the data busy for a little longer.
 */
export async function attach(
  options: AttachOptions,
  socketFolder: string,
  onLaunch: (pid: number) => void,
  stopping: AbortSignal,
) {
  const { cluster } = options.folders;
  const deadline = AbortSignal.timeout(options.startMs);
  const signal = AbortSignal.any([deadline, stopping]);
  let lastError: unknown;
  let launches = 0;
  while (!signal.aborted) {
    const lock = await readLockFile(cluster);
    if (lock?.ready) {
      try {
        const share = await takeShare({ host: lock.socketFolder, port: lock.port }, cluster);
        return { share, socketFolder: lock.socketFolder, pid: lock.pid };
      } catch (error) {
        lastError = error;
      }
    }
    if (lock === undefined || !(await isPostmasterOf(cluster, lock.pid))) {
      const output = await launch({ ...options, socketFolder, stalePid: lock?.pid, onPid: onLaunch, signal });
      if (output === undefined && ++launches < maxLaunches) continue;
      lastError = new EmbeddedPostgresError('start-failed', `Postgres did not start: ${errorLineOf(output ?? '')}`);
      if (output === undefined || !isBusy(output)) throw lastError;
    }
    await sleep(20);
  }
  stopping.throwIfAborted();
  if (lastError instanceof EmbeddedPostgresError) throw lastError;
  throw new EmbeddedPostgresError(
    'no-answer',
    `Postgres for ${cluster} is running (process ${(await readLockFile(cluster))?.pid ?? 'unknown'}) but not responding. Check ${serverLogOf(options.folders.root)}. If the process hangs, stop it.`,
    lastError,
  );
}

/** Another process can stop a ready server before we attach. A few attempts are enough for that. */
const maxLaunches = 3;

/** Another server uses the data, or some processes of a killed server still run. */
function isBusy(output: string): boolean {
  return /lock file "[^"]*" already exists|shared memory block .* is still in use|lock file "[^"]*" is empty/.test(
    output,
  );
}
