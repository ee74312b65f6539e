import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Folders } from './folders.ts';
import { readLockFile } from './postmaster.ts';
import { environment, workingFolder } from './run.ts';
import { openServerLog } from './server-log.ts';
import { port } from './socket-folder.ts';
import type { Binaries } from './staging.ts';

export type Settings = Record<string, string>;

export interface Launch {
  folders: Folders;
  binaries: Binaries;
  socketFolder: string;
  settings: Settings;
  /** The pid in the lock file, if it doesn't belong to the Postgres of this data. */
  stalePid: number | undefined;
  /** Called as soon as there is a process. */
  onPid(pid: number): void;
  /** Stops the wait, not the process. */
  signal: AbortSignal;
}

/**
 * Starts Postgres and waits until it accepts connections or the signal is aborted. If it ends before, resolves with its
 * output or, if it couldn't be run, with the reason.
 */
export async function launch(options: Launch): Promise<string | undefined> {
  const { cluster, root } = options.folders;
  const output = await openServerLog(root);
  try {
    let endReason: string | undefined;
    const child = spawnServer(options, output.fd);
    child.once('error', (error) => {
      endReason = error.message;
    });
    child.once('exit', () => {
      endReason ??= '';
    });
    if (child.pid !== undefined) options.onPid(child.pid);
    while (endReason === undefined && !options.signal.aborted) {
      const lock = await readLockFile(cluster);
      if (lock?.pid === child.pid && lock?.ready) return undefined;
      await sleep(10);
    }
    return endReason === '' ? await output.readNewOutput() : endReason;
  } finally {
    await output.close();
  }
}

/**
 * Detached, so that Ctrl-C in a terminal only reaches the bot, which still needs its database to stop cleanly.
 *
 * Postgres refuses to start while a process with the pid in its lock file exists. In containers, that can be another
 * program with the same pid, or a zombie. PG_GRANDPARENT_PID makes Postgres ignore the process with that pid. It still
 * checks the shared memory to make sure that the data isn't in use. We don't delete the lock file: if two processes
 * start at once, one could delete the new file of the other.
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

/**
 * Passes our settings on the command line at every start and doesn't store them with the data, so that a new version of
 * the bot changes them for old data too. All other settings keep their default. In particular, every commit is synced
 * to disk (fsync).
 */
function serverArguments(cluster: string, socketFolder: string, extra: Settings): string[] {
  const settings: Settings = {
    listen_addresses: '',
    unix_socket_directories: quoted(socketFolder),
    unix_socket_permissions: '0700',
    port: String(port),
    max_connections: '100',
    shared_buffers: '32MB',
    max_wal_size: '256MB',
    // There is no replication.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    // Avoids helper processes that only pay off on large data.
    io_method: 'sync',
    max_parallel_workers_per_gather: '0',
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Omits details, which quote rows.
    log_error_verbosity: 'terse',
    ...extra,
  };
  // The order matters to `isPostmasterOf`: another argument must follow the data folder.
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** `unix_socket_directories` is a list: without quotes, a comma or a space would start another folder. */
function quoted(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`;
}
