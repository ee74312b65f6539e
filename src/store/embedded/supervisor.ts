import { setTimeout as sleep } from 'node:timers/promises';
import { type Attached, type AttachOptions, attach } from './attach.ts';
import { shutDown } from './postmaster.ts';
import { rotateServerLog } from './server-log.ts';
import { removeSocketFolder } from './socket-folder.ts';
import { removeLeftovers } from './staging.ts';

export interface SupervisorOptions extends AttachOptions {
  /** Delays before the attempts to restart a lost server; the last one repeats. */
  retryDelaysMs: readonly number[];
  /** A server that ran this long resets the delays. */
  stableMs: number;
}

/**
 * Several processes can supervise the same data at once. All of them attach to one server. When the server ends, all of
 * them attach again, and one of them starts it. The last process to stop shuts the server down (see `ServerShare`).
 */
export async function supervise(options: SupervisorOptions) {
  const { log, folders } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let attached: Attached | undefined;
  let recovering: Promise<void> = Promise.resolve();
  let attempts = 0;

  const connect = async (socketFolder: string) => {
    const server = await attach({ ...options, socketFolder }, signal);
    const attachedAt = Date.now();
    attached = server;
    void server.share.lost.then(() => {
      if (signal.aborted) return;
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
        await sleep(delayMs, undefined, { ref: false, signal });
        const { pid } = await connect(socketFolder);
        log.info({ pid }, 'Postgres restarted');
        return;
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error, attempt: attempts }, 'could not restart Postgres');
      }
    }
  };

  const stop = async () => {
    stopping.abort();
    clearInterval(rotation);
    await recovering;
    // Otherwise the server has ended and couldn't be restarted.
    if (attached === undefined) return;
    const { share, pid, socketFolder } = attached;
    // If it doesn't answer, it hangs, or it has ended: another process that uses it restarts it.
    const isUnused = await share.release().catch(() => true);
    if (isUnused) {
      await shutDown(folders.cluster, pid, options, log);
      await removeSocketFolder(folders, socketFolder);
      log.info({ pid }, 'Postgres stopped');
    } else log.info({ pid }, 'Postgres keeps running: another process uses it');
    await share.close();
  };

  const startedAt = Date.now();
  const { pid, socketFolder, adopted } = await connect(options.socketFolder);
  if (!adopted) await removeLeftovers(options.binaries.folder, folders.root);
  const rotation = setInterval(() => rotateServerLog(folders.root).catch(() => undefined), 600_000).unref();
  log.info({ pid, adopted, ms: Date.now() - startedAt }, 'Postgres is ready');
  let stopped: Promise<void> | undefined;
  return {
    socketFolder,
    adopted,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
