import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';
import { errorLineOf } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { type LaunchOptions, launch, type Server } from './launch.ts';
import { isPostmasterOf, readLockFile, type ShutdownLimits, shutDown } from './postmaster.ts';
import { serverLogOf } from './server-log.ts';
import { type ServerShare, takeShare } from './server-share.ts';

export interface AttachOptions extends LaunchOptions, ShutdownLimits {
  /** How long a server can take until it accepts connections. */
  startMs: number;
  log: Pick<Log, 'info' | 'warn'>;
}

export interface Attached {
  share: ServerShare;
  socketFolder: string;
  pid: number;
  /** Whether the server was already running, or another process started it. */
  adopted: boolean;
}

/**
 * Attaches to the server of this data, and starts it if none is running. The loop retries while the state changes: a
 * server can be starting, recovering or stopping, another process can start one at the same time, and the last
 * processes of a killed server keep the data busy for a little longer. If the signal fires, a server that this call
 * started has ended when it rejects.
 */
export async function attach(options: AttachOptions, stopping: AbortSignal): Promise<Attached> {
  const { cluster, root } = options.folders;
  const deadline = AbortSignal.any([AbortSignal.timeout(options.startMs), stopping]);
  let server: Server | undefined;
  let lastError: unknown;
  while (!deadline.aborted) {
    const lock = await readLockFile(cluster);
    if (lock?.ready) {
      try {
        const share = await takeShare({ host: lock.socketFolder, port: lock.port }, cluster);
        return { share, socketFolder: lock.socketFolder, pid: lock.pid, adopted: lock.pid !== server?.pid };
      } catch (error) {
        lastError = error;
      }
    }
    const end = server?.end();
    if (end?.failure !== undefined && !isBusy(end.failure))
      throw new EmbeddedPostgresError(`Postgres did not start: ${errorLineOf(end.failure)}`);
    if (end !== undefined) server = undefined;
    const isRunning = server !== undefined || (lock !== undefined && (await isPostmasterOf(cluster, lock.pid)));
    if (!isRunning) server = await launch(options, lock?.pid);
    await sleep(20);
  }
  if (stopping.aborted && server?.pid !== undefined) await shutDown(cluster, server.pid, options, options.log);
  stopping.throwIfAborted();
  throw new EmbeddedPostgresError(
    `Postgres for ${cluster} is running (process ${(await readLockFile(cluster))?.pid ?? 'unknown'}) but not responding. Check ${serverLogOf(root)}. If the process hangs, stop it.`,
    { cause: lastError },
  );
}

/** Another server uses the data, or some processes of a killed server still run. */
function isBusy(output: string): boolean {
  return /lock file "[^"]*" already exists|shared memory block .* is still in use|lock file "[^"]*" is empty/.test(
    output,
  );
}
