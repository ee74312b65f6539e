import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionConfig } from './pool.ts';

/** The connection that held a lock is gone, and the lock with it. Work under the lock must stop. */
export class LockLostError extends Error {
  override readonly name = 'LockLostError';
}

export interface HeldLock {
  /** Fires with a LockLostError when the lock is lost, or with the caller's own reason. */
  signal: AbortSignal;
  /** Asks the database whether the lock is still held; rejects if not. Call it before each step with side effects. */
  check(): Promise<void>;
}

export interface Locks {
  /** Runs `work` under the lock of that name, which has one holder across all processes. */
  withLock<T>(name: string, outer: AbortSignal | undefined, work: (lock: HeldLock) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A 64-bit hash of the name. Two names collide once in billions of deployments, and then only wait for each other. */
const lockNumber = 'hashtextextended($1, 0)';
/** False behind a pooler that switches connections between statements, because the lock is on another one. */
const isHeld = `exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and granted
  and objsubid = 1 and (classid::bigint << 32) | objid::bigint = ${lockNumber})`;

const heartbeatMs = 5_000;
const replyMs = 5_000;
/** Delays between attempts to get a lock that another process holds. */
const pausesMs = [10, 20, 40, 80, 160, 200];

/** The connection that holds all locks of this process. They are released the moment it ends, however that happens. */
interface Session {
  client: pg.Client;
  ready: Promise<unknown>;
  /** Fires with a LockLostError. */
  lost: AbortSignal;
  lose(cause?: unknown): void;
  /** Runs one statement at a time. */
  ask(condition: string, name: string): Promise<boolean>;
}

/**
 * Locks for the whole deployment, on one connection per process. Waits for a lock of this process are queued in memory;
 * waits for another process poll. Losing the connection aborts all work under its locks within seconds, before the
 * server gives them to another process (after 35 seconds, see pool.ts).
 */
export function createLocks(connection: pg.ClientConfig): Locks {
  const lines = new Map<string, (() => void)[]>();
  let current: Session | undefined;
  let isClosed = false;

  function connect(): Session {
    const client = new pg.Client({ ...connectionConfig(connection, 'lock'), query_timeout: replyMs });
    const controller = new AbortController();
    const heartbeat = setInterval(() => void session.ask('true', '').catch(() => {}), heartbeatMs).unref();
    let last: Promise<unknown> = Promise.resolve();
    const session: Session = {
      client,
      ready: client.connect(),
      lost: controller.signal,
      lose(cause) {
        if (controller.signal.aborted) return;
        clearInterval(heartbeat);
        if (current === session) current = undefined;
        controller.abort(new LockLostError('the locks of this process were lost', { cause }));
        void end(client);
      },
      ask(condition, name) {
        const asked = last.then(async () => {
          controller.signal.throwIfAborted();
          try {
            const { rows } = await client.query(`select ${condition} as yes, $1::text`, [name]);
            return rows[0]?.yes === true;
          } catch (error) {
            // It's unknown which locks the connection holds. Closing it releases all of them.
            session.lose(error);
            throw controller.signal.reason;
          }
        });
        last = asked.catch(() => {});
        return asked;
      },
    };
    client.on('error', session.lose).on('end', () => session.lose());
    return session;
  }

  async function connected(): Promise<Session> {
    if (isClosed) throw new Error('the database was closed');
    current ??= connect();
    const session = current;
    await session.ready.catch((error: unknown) => {
      session.lose(error);
      throw error;
    });
    return session;
  }

  /** A connection can take the same lock twice, so the database alone would let in every caller of this process. */
  async function inLine<T>(name: string, outer: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const line = lines.get(name) ?? [];
    if (lines.has(name)) {
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          line.splice(line.indexOf(turn), 1);
          reject(outer?.reason);
        };
        const turn = () => {
          outer?.removeEventListener('abort', leave);
          resolve();
        };
        line.push(turn);
        outer?.addEventListener('abort', leave, { once: true });
      });
    } else lines.set(name, line);
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next === undefined) lines.delete(name);
      else next();
    }
  }

  async function acquire(name: string, outer: AbortSignal | undefined): Promise<Session> {
    for (let tries = 0; ; tries += 1) {
      outer?.throwIfAborted();
      const session = await connected();
      if (await session.ask(`pg_try_advisory_lock(${lockNumber})`, name)) return session;
      const pauseMs = pausesMs[Math.min(tries, pausesMs.length - 1)];
      await sleep(pauseMs, undefined, outer && { signal: outer }).catch(() => outer?.throwIfAborted());
    }
  }

  return {
    async withLock(name, outer, work) {
      outer?.throwIfAborted();
      return inLine(name, outer, async () => {
        const session = await acquire(name, outer);
        const controller = new AbortController();
        const { signal } = controller;
        const lose = () => controller.abort(session.lost.reason);
        const leave = () => controller.abort(outer?.reason);
        session.lost.addEventListener('abort', lose, { once: true });
        outer?.addEventListener('abort', leave, { once: true });
        if (session.lost.aborted) lose();
        if (outer?.aborted) leave();
        try {
          return await work({
            signal,
            async check() {
              signal.throwIfAborted();
              const yes = await session.ask(isHeld, name);
              if (!yes) controller.abort(new LockLostError(`the lock ${name} is not held`));
              signal.throwIfAborted();
            },
          });
        } finally {
          session.lost.removeEventListener('abort', lose);
          outer?.removeEventListener('abort', leave);
          await release(session, name);
        }
      });
    },
    async close() {
      isClosed = true;
      if (current !== undefined) await end(current.client);
    },
  };
}

async function release(session: Session, name: string): Promise<void> {
  if (session.lost.aborted) return;
  const isFree = await session.ask(`pg_advisory_unlock(${lockNumber})`, name).catch(() => true);
  if (!isFree) session.lose(new Error(`the lock ${name} was not held`));
}

/** Ends a connection, which releases its locks. Doesn't wait for a server that doesn't answer. */
async function end(client: pg.Client): Promise<void> {
  const cut = setTimeout(
    () => (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy(),
    1_000,
  );
  await client.end().catch(() => {});
  clearTimeout(cut);
}

/** Takes the lock of that name until the end of the transaction, if it is free. */
export async function tryLock(client: Pick<pg.PoolClient, 'query'>, name: string): Promise<boolean> {
  const { rows } = await client.query(`select pg_try_advisory_xact_lock(${lockNumber}) as taken`, [name]);
  return rows[0]?.taken === true;
}
