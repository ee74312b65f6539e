import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Folders } from './folders.ts';
import { environment, workingFolder } from './run.ts';
import { openServerLog } from './server-log.ts';
import { port } from './socket-folder.ts';
import type { Binaries } from './staging.ts';

export type Settings = Record<string, string>;

export interface LaunchOptions {
  folders: Folders;
  binaries: Binaries;
  socketFolder: string;
  settings: Settings;
}

/** A server that this process has launched. */
export interface Server {
  pid: number | undefined;
  /**
   * Undefined while it runs. `failure` is its output or, if it couldn't be run, the reason; undefined if another process
   * stopped it.
   */
  end(): { failure: string | undefined } | undefined;
}

/** @param stalePid the pid in the lock file, if it doesn't belong to the Postgres of this data */
export async function launch(options: LaunchOptions, stalePid: number | undefined): Promise<Server> {
  const output = await openServerLog(options.folders.root);
  let end: { failure: string | undefined } | undefined;
  const child = spawnServer(options, stalePid, output.fd);
  child.once('error', (error) => {
    end = { failure: error.message };
    void output.close();
  });
  child.once('exit', async (code) => {
    end = { failure: code === 0 ? undefined : await output.readNewOutput() };
    await output.close();
  });
  return { pid: child.pid, end: () => end };
}

/**
 * Detached, so that Ctrl-C in a terminal only reaches the bot, which still needs its database to stop cleanly.
 *
 * Postgres refuses to start while a process with the pid in its lock file exists. In containers, that can be another
 * program with the same pid, or a zombie. PG_GRANDPARENT_PID makes Postgres ignore the process with that pid. It still
 * checks the shared memory to make sure that the data isn't in use. We don't delete the lock file: if two processes
 * start at once, one could delete the new file of the other.
 */
function spawnServer(
  { folders: { account, cluster }, binaries, socketFolder, settings }: LaunchOptions,
  stalePid: number | undefined,
  output: number,
): ChildProcess {
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
