import type { Socket } from 'node:net';
import pg from 'pg';
import { connectionConfig } from './pool.ts';

/** The connection that held a lock is gone, and with it the lock: whatever was done under it must stop. */
export class LockLostError extends Error {
  override readonly name = 'LockLostError';
}

export interface HeldLock {
  /** Fires with a LockLostError when the lock is gone, or with the caller's own reason. */
  signal: AbortSignal;
  /** Asks the database whether the lock is still held; rejects unless it is. To be called before each step that counts. */
  check(): Promise<void>;
}

/** Sixty-four bits of a name: two names meet once in billions of deployments, and then they only wait for each other. */
export const lockNumber = 'hashtextextended($1, 0)';
const heartbeatMs = 5_000;
const replyMs = 5_000;

/**
 * Runs `work` while nobody else, in any process, holds the lock of that name. The lock lives on a connection of its own:
 * it is free the moment that connection ends, however the process ended. Its loss aborts the work within seconds, before
 * the server would give the lock to somebody else (pool.ts: 35 seconds).
 */
export async function withLock<T>(
  connection: pg.ClientConfig,
  name: string,
  outer: AbortSignal | undefined,
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const client = new pg.Client(connectionConfig(connection, 'lock'));
  const controller = new AbortController();
  const lose = (cause?: unknown) => controller.abort(new LockLostError(`the lock ${name} was lost`, { cause }));
  const leave = () => controller.abort(outer?.reason);
  client.on('error', lose);
  outer?.addEventListener('abort', leave, { once: true });
  const { signal } = controller;

  async function check(): Promise<void> {
    signal.throwIfAborted();
    const timer = setTimeout(() => lose(new Error('the database did not answer')), replyMs);
    try {
      await unless(signal, client.query('select 1'));
    } catch (error) {
      lose(error);
    } finally {
      clearTimeout(timer);
    }
    signal.throwIfAborted();
  }

  let heartbeat: NodeJS.Timeout | undefined;
  try {
    await unless(signal, client.connect());
    await unless(signal, client.query(`select pg_advisory_lock(${lockNumber})`, [name]));
    heartbeat = setInterval(() => check().catch(() => {}), heartbeatMs);
    return await work({ signal, check });
  } finally {
    clearInterval(heartbeat);
    outer?.removeEventListener('abort', leave);
    await end(client);
  }
}

/** Ends a connection, which frees its locks. A server that does not answer is not waited for. */
export async function end(client: pg.Client): Promise<void> {
  const cut = setTimeout(
    () => (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy(),
    1_000,
  );
  await client.end().catch(() => {});
  clearTimeout(cut);
}

/** Takes the lock of that name until the end of the transaction, if nobody else has it. */
export async function tryLock(client: Pick<pg.PoolClient, 'query'>, name: string): Promise<boolean> {
  const { rows } = await client.query(`select pg_try_advisory_xact_lock(${lockNumber}) as taken`, [name]);
  return rows[0]?.taken === true;
}

function unless<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
