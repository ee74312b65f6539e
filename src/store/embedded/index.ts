import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../lib/log.ts';
import { findBinaries, prepareBinaries, type Resolve } from './binaries.ts';
import { createCluster } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { openDataDir } from './folders.ts';
import type { Settings } from './launch.ts';
import { database, owner } from './server-share.ts';
import { openSocketFolder, port } from './socket-folder.ts';
import { supervise } from './supervisor.ts';

export interface EmbeddedPostgresOptions {
  /** Created if it is missing. If we are root, the account that runs Postgres must be able to enter it. */
  dataDir: string;
  log?: Pick<Log, 'info' | 'warn'>;
  /** For tests: where packages are found. */
  resolve?: Resolve;
  /** For tests: settings of Postgres on top of ours. */
  settings?: Settings;
  /** For tests: other limits than ours. */
  limits?: Partial<typeof defaultLimits>;
}

export interface EmbeddedPostgres {
  /** `host` is the folder of the Unix socket; there is no password. */
  connection: { host: string; port: number; user: string; database: string };
  /** Whether the server was already running: a killed bot left it, or another process started it. */
  adopted: boolean;
  /** Shuts Postgres down, unless another process uses it. */
  stop(): Promise<void>;
}

const defaultLimits = {
  // Includes recovery after a crash, which `max_wal_size` keeps short.
  startMs: 120_000,
  fastMs: 15_000,
  immediateMs: 6_000,
  retryDelaysMs: [0, 200, 1_000, 5_000, 15_000, 30_000] as readonly number[],
  stableMs: 2_000,
};

/**
 * A real Postgres in a folder, for a bot without a DATABASE_URL. The data outlives the bot, and so does the server if
 * the bot is killed: the next start in the same folder attaches to it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const installed = await findBinaries(options.resolve);
  const { settings = {}, log = { info() {}, warn() {} } } = options;
  const limits = { ...defaultLimits, ...options.limits };
  try {
    const self = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
    const folders = await openDataDir(options.dataDir, self);
    const binaries = await prepareBinaries(installed, folders.account, folders.root);
    await createCluster(folders, binaries, settings.fsync !== 'off');
    const socketFolder = await openSocketFolder(folders, self);
    const supervisor = await supervise({ ...limits, folders, binaries, settings, socketFolder, log });
    return {
      connection: { host: supervisor.socketFolder, port, user: owner, database },
      adopted: supervisor.adopted,
      stop: supervisor.stop,
    };
  } catch (error) {
    throw isFileError(error) ? unusable(options.dataDir, error) : error;
  }
}

/** Whether a Postgres was created in the folder. Rejects if no binaries are installed for this system. */
export async function hasEmbeddedData(dataDir: string): Promise<boolean> {
  await findBinaries();
  return stat(join(dataDir, 'cluster')).then(
    () => true,
    () => false,
  );
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function unusable(dataDir: string, error: Error): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `${dataDir} cannot hold the data of Postgres (${error.message}): set DATA_DIR to a folder that the bot can write to, or DATABASE_URL to a Postgres server.`,
    { cause: error },
  );
}
