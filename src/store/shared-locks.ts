import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { end, lockNumber } from './advisory-lock.ts';
import { connectionConfig } from './pool.ts';

/** Locks that many hold at a time, for a moment each, on one connection of the process. */
export interface SharedLocks {
  /**
   * Runs `work` while nobody else, in any process, holds the lock of that name, and rejects where it is not had before
   * the signal fires. Whoever loses the connection is not told: only for what does no harm when it is done twice.
   */
  hold<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const replyMs = 5_000;
/** Between two looks whether a lock is free: here that costs nothing, in the database a question. */
const pauseMs = { here: 20, elsewhere: 200 };

/** A connection each would be one for every account whose page is slow: the database has not so many. */
export function createSharedLocks(connection: pg.ClientConfig): SharedLocks {
  const held = new Set<string>();
  let current: { client: pg.Client; ready: Promise<unknown> } | undefined;
  let isClosed = false;

  function connect() {
    const client = new pg.Client({ ...connectionConfig(connection, 'lock'), query_timeout: replyMs });
    client.on('error', () => leave(client)).on('end', () => leave(client));
    return { client, ready: client.connect() };
  }

  async function connected(): Promise<pg.Client> {
    if (isClosed) throw new Error('the database was closed');
    current ??= connect();
    const { client, ready } = current;
    await ready.catch((error: unknown) => {
      leave(client);
      throw error;
    });
    return client;
  }

  /** The next one who asks gets a new connection. */
  function leave(client: pg.Client): void {
    if (current?.client === client) current = undefined;
  }

  async function ask(client: pg.Client, question: string, name: string): Promise<boolean> {
    try {
      const { rows } = await client.query(`select ${question}(${lockNumber}) as yes`, [name]);
      return rows[0]?.yes === true;
    } catch (error) {
      // Nobody knows whether it has the lock: with its end it has none.
      leave(client);
      void end(client);
      throw error;
    }
  }

  return {
    async hold(name, signal, work) {
      for (;;) {
        signal.throwIfAborted();
        // A connection may take the same lock twice, so that the database alone would let everybody here in.
        const isHeldHere = held.has(name);
        if (!isHeldHere) {
          held.add(name);
          try {
            const client = await connected();
            if (await ask(client, 'pg_try_advisory_lock', name)) {
              return await work().finally(() => ask(client, 'pg_advisory_unlock', name).catch(() => {}));
            }
          } finally {
            held.delete(name);
          }
        }
        await sleep(isHeldHere ? pauseMs.here : pauseMs.elsewhere, undefined, { signal });
      }
    },
    async close() {
      isClosed = true;
      if (current !== undefined) await end(current.client);
    },
  };
}
