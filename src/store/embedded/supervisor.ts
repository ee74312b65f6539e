import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';
import { type Attached, type AttachOptions, attach } from './attach.ts';
import { readLockFile, type ShutdownLimits, shutDown } from './postmaster.ts';
import { rotateServerLog } from './server-log.ts';
import { removeSocketFolder } from './socket-folder.ts';
import { removeOtherCopies } from './staging.ts';

export interface Limits extends ShutdownLimits {
  /** How long a server can take until it accepts connections. */
  startMs: number;
  /** Delays before the attempts to restart a lost server; the last one repeats. */
  retryDelaysMs: readonly number[];
  /** A server that ran this long resets the delays. */
  stableMs: number;
}

export interface SupervisorOptions extends AttachOptions, Limits {
  socketFolder: string;
  log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Several processes can supervise the same data at once. All of them attach to one server. When the server ends, all of
 * them attach again, and one of them starts it. The last process to stop shuts the server down (see `ServerShare`).
 */
export async function supervise(options: SupervisorOptions) {
  const { log, folders } = options;
  const stopping = new AbortController();
  let launchedPid: number | undefined;
  let attached: Attached | undefined;
  let recovering: Promise<void> = Promise.resolve();
  let attempts = 0;

  const connect = async (socketFolder: string) => {
    const onLaunch = (pid: number) => {
      launchedPid = pid;
    };
    const server = await attach(options, socketFolder, onLaunch, stopping.signal);
    const attachedAt = Date.now();
    attached = server;
    void server.share.lost.then(() => {
      if (stopping.signal.aborted) return;
      attached = undefined;
      if (Date.now() - attachedAt > options.stableMs) attempts = 0;
      recovering = recover(server.socketFolder);
    });
    return server;
  };

  const recover = async (socketFolder: string) => {
    log.warn({ folder: folders.cluster }, 'Postgres ended: restarting it');
    // Retries indefinitely: the reason, for example a full disk, can be fixed while the bot runs.
    while (options.retryDelaysMs.length > 0) {
      const delayMs = options.retryDelaysMs[Math.min(attempts++, options.retryDelaysMs.length - 1)];
      try {
        await sleep(delayMs, undefined, { ref: false, signal: stopping.signal });
        const { pid } = await connect(socketFolder);
        log.info({ pid }, 'Postgres restarted');
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error, attempt: attempts }, 'could not restart Postgres');
      }
    }
  };

  /** Resolves with whether no other process uses the server. */
  const releaseShare = async (): Promise<boolean> => {
    // We have no share if the server could not be restarted. Then we only stop a server that we launched.
    if (attached === undefined) return launchedPid !== undefined;
    // If it doesn't answer, it hangs, or it has ended: another process that uses it restarts it.
    return attached.share.release().catch(() => true);
  };

  const stop = async () => {
    stopping.abort();
    clearInterval(rotation);
    await recovering;
    const isUnused = await releaseShare();
    const pid = (await readLockFile(folders.cluster))?.pid;
    const expectedPid = attached?.pid ?? launchedPid;
    if (isUnused && pid !== undefined && pid === expectedPid) {
      await shutDown(folders.cluster, pid, options, log);
      await removeSocketFolder(folders, first.socketFolder);
      log.info({ pid }, 'Postgres stopped');
    }
    if (!isUnused) log.info({ pid }, 'Postgres keeps running: another process uses it');
    await attached?.share.close();
  };

  const startedAt = Date.now();
  const first = await connect(options.socketFolder);
  const adopted = first.pid !== launchedPid;
  if (!adopted) await removeOtherCopies(options.binaries.folder, folders.root);
  const rotation = setInterval(() => rotateServerLog(folders.root).catch(() => undefined), 600_000).unref();
  log.info({ pid: first.pid, adopted, ms: Date.now() - startedAt }, 'Postgres is ready');
  let stopped: Promise<void> | undefined;
  return {
    socketFolder: first.socketFolder,
    adopted,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
