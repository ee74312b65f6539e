import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import type { Folders } from './folders.ts';
import { readLockFile } from './lock-file.ts';
import { environment, workingFolder } from './run.ts';
import { openServerLog } from './server-log.ts';
import { type Settings, serverArguments } from './settings.ts';

export interface Launch {
  folders: Folders;
  binaries: Binaries;
  socketFolder: string;
  settings: Settings;
  /** The process that the data names as its Postgres and that is none. */
  stalePid: number | undefined;
  /** Called as soon as there is a process. */
  onPid(pid: number): void;
  /** Stops waiting; the process goes on. */
  signal: AbortSignal;
}

/** Starts Postgres and waits until it takes connections: resolves with its words if it ends instead. */
export async function launch(options: Launch): Promise<string | undefined> {
  const { cluster, root } = options.folders;
  const output = await openServerLog(root);
  try {
    let ended: string | undefined;
    const child = spawnServer(options, output.fd);
    child.once('error', (error) => {
      ended = error.message;
    });
    child.once('exit', () => {
      ended ??= '';
    });
    if (child.pid !== undefined) options.onPid(child.pid);
    while (ended === undefined && !options.signal.aborted) {
      const lock = await readLockFile(cluster);
      if (lock?.pid === child.pid && lock?.ready) return undefined;
      await sleep(10);
    }
    return ended === '' ? await output.newWords() : ended;
  } finally {
    await output.close();
  }
}

/**
 * In a session of its own, so that Ctrl-C in a terminal reaches the bot only, which still needs its database then.
 *
 * Postgres refuses to start while the process named in its lock file lives, even if that is another program that has
 * got the same number since, as happens in containers, or a dead one not yet reaped. PG_GRANDPARENT_PID is its own way
 * to be told of a process that cannot be a Postgres. We do not remove the file: of two that start at once, one could
 * remove the new file of the other. Postgres checks again for itself, by the shared memory, that nobody uses the data.
 */
function spawnServer({ folders, binaries, socketFolder, settings, stalePid }: Launch, output: number): ChildProcess {
  const { account, cluster } = folders;
  const child = spawn(join(binaries.folder, 'bin', 'postgres'), serverArguments(cluster, socketFolder, settings), {
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
    env: { ...environment, ...(stalePid === undefined ? {} : { PG_GRANDPARENT_PID: String(stalePid) }) },
    cwd: workingFolder,
    detached: true,
    stdio: ['ignore', output, output],
  });
  child.unref();
  return child;
}
