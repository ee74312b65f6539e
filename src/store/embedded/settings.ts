import { port } from './socket-folder.ts';

export type Settings = Record<string, string>;

/**
 * Passes our settings on the command line at every start and doesn't store them with the data, so that a new version of
 * the bot changes them for old data too. All other settings keep their default. In particular, every commit is synced
 * to disk (fsync).
 */
export function serverArguments(cluster: string, socketFolder: string, extra: Settings): string[] {
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
