import { setTimeout as sleep } from 'node:timers/promises';
import { type Attached, type AttachOptions, attach } from './attach.ts';
import { takeHold } from './hold.ts';
import { readLockFile } from './lock-file.ts';
import type { Log } from './log.ts';
import { boundServerLog } from './server-log.ts';
import { type ShutdownLimits, shutDown } from './shutdown.ts';
import { port, removeSocketFolder } from './socket-folder.ts';
import { removeOtherCopies } from './staging.ts';

export interface Limits extends ShutdownLimits {
  /** Until a server accepts connections. */
  startMs: number;
  /** Delays before the attempts to restart a lost server; the last one repeats. */
  backOffMs: readonly number[];
  /** A server that ran this long resets the delays. */
  steadyMs: number;
}

export interface SupervisorOptions extends AttachOptions, Limits {
  socketFolder: string;
  log: Log;
}

export interface Supervisor {
  socketFolder: string;
  adopted: boolean;
  stop(): Promise<void>;
}

/**
 * Several processes can supervise the same data at once. All of them attach to one server. When it ends, all of them
 * attach again, and one of them starts it. The last one to stop shuts it down (see `Hold`).
 */
export async function supervise(options: SupervisorOptions): Promise<Supervisor> {
  const { log, folders } = options;
  const stopping = new AbortController();
  let launched: number | undefined;
  let attached: Attached | undefined;
  let recovering: Promise<void> = Promise.resolve();
  let attempts = 0;

  const connect = async (socketFolder: string) => {
    const onLaunch = (pid: number) => {
      launched = pid;
    };
    const found = await attach(options, socketFolder, onLaunch, stopping.signal);
    const since = Date.now();
    attached = found;
    found.hold.lost.then(() => {
      if (stopping.signal.aborted) return;
      attached = undefined;
      if (Date.now() - since > options.steadyMs) attempts = 0;
      recovering = recover(found.socketFolder);
    });
    return found;
  };

  const recover = async (socketFolder: string) => {
    log.warn({ folder: folders.cluster }, 'Postgres went away: bringing it back');
    // Retries indefinitely: the reason, for example a full disk, can be fixed while the bot runs.
    while (options.backOffMs.length > 0) {
      const wait = options.backOffMs[Math.min(attempts++, options.backOffMs.length - 1)];
      try {
        await sleep(wait, undefined, { ref: false, signal: stopping.signal });
        const { pid } = await connect(socketFolder);
        log.info({ pid }, 'Postgres is back');
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error, attempt: attempts }, 'Postgres could not be brought back');
      }
    }
  };

  const isOursAlone = async () => {
    // Without a share, because the server never came back, we are only responsible for one that we launched.
    if (attached === undefined) return launched !== undefined;
    try {
      return await attached.hold.release();
    } catch {
      // Perhaps only the connection was lost. If the server doesn't answer at all, no other process can be using it.
      const address = { host: attached.socketFolder, port };
      const again = await takeHold(address, folders.cluster).catch(() => undefined);
      if (again === undefined) return true;
      attached = { ...attached, hold: again };
      return again.release().catch(() => true);
    }
  };

  const stop = async () => {
    stopping.abort();
    clearInterval(tidying);
    await recovering;
    const alone = await isOursAlone();
    const pid = (await readLockFile(folders.cluster))?.pid;
    const known = attached?.pid ?? launched;
    if (alone && pid !== undefined && pid === known) {
      await shutDown(folders.cluster, pid, options, log);
      await removeSocketFolder(folders, first.socketFolder);
      log.info({ pid }, 'Postgres stopped');
    }
    if (!alone) log.info({ pid }, 'Postgres goes on, because another process uses it');
    await attached?.hold.close();
  };

  const began = Date.now();
  const first = await connect(options.socketFolder);
  const adopted = first.pid !== launched;
  if (!adopted) await removeOtherCopies(options.binaries.folder, folders.root);
  const tidying = setInterval(() => boundServerLog(folders.root).catch(() => undefined), 600_000).unref();
  log.info({ pid: first.pid, adopted, ms: Date.now() - began }, 'Postgres is ready');
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
