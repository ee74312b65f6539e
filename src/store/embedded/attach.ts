import { setTimeout as sleep } from 'node:timers/promises';
import { lastWords } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';
import type { Folders } from './folders.ts';
import { type Hold, takeHold } from './hold.ts';
import { launch } from './launch.ts';
import { readLockFile } from './lock-file.ts';
import { isPostmasterOf } from './processes.ts';
import { serverLogOf } from './server-log.ts';
import type { Settings } from './settings.ts';
import type { Binaries } from './staging.ts';

export interface AttachOptions {
  folders: Folders;
  binaries: Binaries;
  settings: Settings;
  startMs: number;
}

export interface Attached {
  hold: Hold;
  socketFolder: string;
  pid: number;
}

/**
 * Attaches to the server of this data: to the running one, or to one that it starts. The loop handles changes in
 * between: a server that is starting, recovering or stopping, another process that starts one at the same time, and the
 * last processes of a killed server, which keep the data busy for a little longer.
 */
export async function attach(
  options: AttachOptions,
  socketFolder: string,
  onLaunch: (pid: number) => void,
  stopping: AbortSignal,
): Promise<Attached> {
  const { cluster } = options.folders;
  const deadline = AbortSignal.timeout(options.startMs);
  const signal = AbortSignal.any([deadline, stopping]);
  let trouble: unknown;
  let launches = 0;
  while (!signal.aborted) {
    const lock = await readLockFile(cluster);
    if (lock?.ready) {
      try {
        const hold = await takeHold({ host: lock.socketFolder, port: lock.port }, cluster);
        return { hold, socketFolder: lock.socketFolder, pid: lock.pid };
      } catch (error) {
        trouble = error;
      }
    }
    if (lock === undefined || !(await isPostmasterOf(cluster, lock.pid))) {
      const said = await launch({ ...options, socketFolder, stalePid: lock?.pid, onPid: onLaunch, signal });
      if (said === undefined && ++launches < maxLaunches) continue;
      trouble = new EmbeddedPostgresError('start-failed', `Postgres did not start: ${lastWords(said ?? '')}`);
      if (said === undefined || !isBusy(said)) throw trouble;
    }
    await sleep(20);
  }
  stopping.throwIfAborted();
  if (trouble instanceof EmbeddedPostgresError) throw trouble;
  throw new EmbeddedPostgresError(
    'no-answer',
    `A Postgres of ${cluster} runs (process ${(await readLockFile(cluster))?.pid ?? 'unknown'}) but does not answer: look into ${serverLogOf(options.folders.root)}, and end that process if it hangs.`,
    trouble,
  );
}

/** A ready server can end before we attach, because another process stopped it. That won't happen every time. */
const maxLaunches = 3;

/** Another server has the data, or some processes of a killed one are still there. */
function isBusy(said: string): boolean {
  return /lock file "[^"]*" already exists|shared memory block .* is still in use|lock file "[^"]*" is empty/.test(
    said,
  );
}
