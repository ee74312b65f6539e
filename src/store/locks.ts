import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { forwardAbort } from '../lib/forward-abort.ts';
import { createLimiter } from '../lib/limiter.ts';
import { answerWithin, connect as connectClient, connectionConfig, disconnect } from './pool.ts';

/** The connection that held a lock is gone, and the lock with it. Work under the lock must stop. */
export class LockLostError extends Error {
  override readonly name = 'LockLostError';
}

export interface HeldLock {
  /** Fires with a LockLostError when the lock is lost, or with the reason of the caller's signal. */
  signal: AbortSignal;
  /** Asks the database whether the lock is still held; rejects if not. Call it before each step with side effects. */
  check(): Promise<void>;
}

/** A 64-bit hash of the name. Two names collide once in billions of deployments, and then only wait for each other. */
const lockNumber = 'hashtextextended($1, 0)';
/** Behind a pooler that switches connections between statements this is false: another connection has the lock. */
const isHeld = `exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and granted
  and objsubid = 1 and (classid::bigint << 32) | objid::bigint = ${lockNumber})`;

const heartbeatMs = 5_000;
const defaultReplyTimeoutMs = 5_000;
/** Delays between attempts to get a lock that another process holds. */
const pausesMs = [10, 20, 40, 80, 160, 200];

export type Locks = ReturnType<typeof createLocks>;

/** The connection that holds all locks of this process. They are released when it ends, for any reason. */
interface Session {
  client: pg.Client;
  ready: Promise<unknown>;
  /** Fires with a LockLostError. */
  lost: AbortSignal;
  lose(cause?: unknown): void;
  /** Evaluates an SQL expression, which can take or release a lock. The next one waits for the answer. */
  evaluate(expression: string, name: string): Promise<boolean>;
}

/**
 * Locks for the whole deployment, on one connection per process. Waits for a lock of this process are queued in memory;
 * waits for another process poll. Losing the connection aborts all work under its locks within seconds, before the
 * server gives them to another process (after 35 seconds, see pool.ts).
 */
export function createLocks(
  connection: pg.ClientConfig,
  onLost: (error: unknown) => void,
  replyTimeoutMs = defaultReplyTimeoutMs,
) {
  // A connection can take the same lock twice, so in the database alone, all callers of this process would get it.
  const turns = createLimiter(1);
  let current: Session | undefined;
  let isClosed = false;

  function connect(): Session {
    const client = new pg.Client(connectionConfig(connection, 'lock'));
    const controller = new AbortController();
    // One listener per held lock. That isn't a leak, but Node warns from eleven listeners on.
    setMaxListeners(0, controller.signal);
    const heartbeat = setInterval(() => void session.evaluate('true', '').catch(() => {}), heartbeatMs).unref();
    let lastQuery: Promise<unknown> = Promise.resolve();
    const session: Session = {
      client,
      ready: connectClient(client, 'lock', replyTimeoutMs),
      lost: controller.signal,
      lose(cause) {
        if (controller.signal.aborted) return;
        clearInterval(heartbeat);
        if (current === session) current = undefined;
        const error = new LockLostError('the locks of this process were lost', { cause });
        onLost(error);
        controller.abort(error);
        void end(client);
      },
      evaluate(expression, name) {
        const answer = lastQuery.then(async () => {
          controller.signal.throwIfAborted();
          try {
            const query = client.query(`select ${expression} as yes, $1::text`, [name]);
            const { rows } = await answerWithin(replyTimeoutMs, query);
            return rows[0]?.yes === true;
          } catch (error) {
            // It's unknown which locks the connection holds. Closing it releases all of them.
            session.lose(error);
            throw controller.signal.reason;
          }
        });
        lastQuery = answer.catch(() => {});
        return answer;
      },
    };
    client.on('error', session.lose).on('end', () => session.lose());
    return session;
  }

  async function connectedSession(): Promise<Session> {
    if (isClosed) throw new Error('the store is closed');
    current ??= connect();
    const session = current;
    await session.ready.catch((error: unknown) => {
      session.lose(error);
      throw error;
    });
    return session;
  }

  async function acquire(name: string, callerSignal: AbortSignal | undefined): Promise<Session> {
    for (let attempts = 0; ; attempts += 1) {
      callerSignal?.throwIfAborted();
      const session = await connectedSession();
      if (await session.evaluate(`pg_try_advisory_lock(${lockNumber})`, name)) return session;
      const pauseMs = pausesMs[Math.min(attempts, pausesMs.length - 1)];
      await sleep(pauseMs, undefined, callerSignal && { signal: callerSignal }).catch(() =>
        callerSignal?.throwIfAborted(),
      );
    }
  }

  return {
    /** Runs `work` under the lock of that name, which has one holder across all processes. */
    withLock<T>(name: string, callerSignal: AbortSignal | undefined, work: (lock: HeldLock) => Promise<T>): Promise<T> {
      const workUnderLock = async () => {
        const session = await acquire(name, callerSignal);
        const controller = new AbortController();
        const { signal } = controller;
        const stopForwarding = [session.lost, ...(callerSignal === undefined ? [] : [callerSignal])].map((from) =>
          forwardAbort(from, controller),
        );
        try {
          return await work({
            signal,
            async check() {
              signal.throwIfAborted();
              const isStillHeld = await session.evaluate(isHeld, name);
              if (!isStillHeld) controller.abort(new LockLostError(`the lock ${name} is not held`));
              signal.throwIfAborted();
            },
          });
        } finally {
          for (const stop of stopForwarding) stop();
          await release(session, name);
        }
      };
      return turns.run(name, workUnderLock, callerSignal);
    },
    async close(): Promise<void> {
      isClosed = true;
      if (current !== undefined) await end(current.client);
    },
  };
}

async function release(session: Session, name: string): Promise<void> {
  if (session.lost.aborted) return;
  const wasHeld = await session.evaluate(`pg_advisory_unlock(${lockNumber})`, name).catch(() => true);
  if (!wasHeld) session.lose(new Error(`the lock ${name} was not held`));
}

/** Ends a connection, which releases its locks. Waits one second for the server. */
async function end(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => disconnect(client), 1_000);
  await client.end().catch(() => {});
  clearTimeout(timer);
}

/** Waits for the lock of that name, and takes it until the end of the transaction. */
export async function lockInTransaction(client: Pick<pg.PoolClient, 'query'>, name: string): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${lockNumber})`, [name]);
}

/** Takes the lock of that name until the end of the transaction, if it is free. */
export async function tryLock(client: Pick<pg.PoolClient, 'query'>, name: string): Promise<boolean> {
  const { rows } = await client.query(`select pg_try_advisory_xact_lock(${lockNumber}) as locked`, [name]);
  return rows[0]?.locked === true;
}
