import type { Socket } from 'node:net';
import pg from 'pg';
import { bounds } from '../lib/bounds.ts';

export interface PoolOptions {
  connection: pg.ClientConfig;
  maxConnections?: number;
  onLost?: (error: Error) => void;
  /** Limits connecting. Waiting for a free connection can take three times as long. */
  timeoutMs?: number;
}

/**
 * Detects a lost peer. By default, a server keeps a vanished client's locks for over two hours, and doesn't check the
 * client at all while it waits for a lock. With these settings it releases them after 35 seconds; a client notices
 * sooner (see locks.ts).
 */
const keepalives = `set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
  set client_connection_check_interval = 5000;`;

const sessionSettings = {
  // All our statements are fast, so one that takes longer is stuck.
  pool: `${keepalives} set statement_timeout = 30000`,
  // A wait for a lock has no time limit. This overrides the server's own timeouts.
  lock: `${keepalives} set statement_timeout = 0; set lock_timeout = 0`,
};

const timeoutTicks = 5;

/** The settings of every connection, pooled or not. */
export function connectionConfig(connection: pg.ClientConfig, purpose: 'pool' | 'lock'): pg.ClientConfig {
  // pg does the same, with a warning that a later version won't.
  const connectionString = connection.connectionString?.replace(
    /^(?!.*uselibpqcompat)(.*[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/,
    '$1verify-full',
  );
  return {
    ...connection,
    connectionString,
    application_name: `dropline ${purpose}`,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

/**
 * Rejects if there is no answer in time. Counts ticks of the event loop: after the process was blocked, a single timer
 * would fire before an answer that has already arrived is read, and all transfers of the process would be aborted.
 * That's why pg's own timeout of connecting isn't used.
 */
export function answerWithin<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      if (ticks < timeoutTicks) return;
      clearInterval(timer);
      reject(new Error('the database does not answer'));
    }, timeoutMs / timeoutTicks);
    answer.then(resolve, reject).finally(() => clearInterval(timer));
  });
}

/** Connects, with our settings. PgBouncer refuses them as startup parameters. */
export async function connect(client: pg.Client, purpose: 'pool' | 'lock', timeoutMs: number): Promise<void> {
  const answer = client.connect().then(() => client.query(sessionSettings[purpose]));
  try {
    await answerWithin(timeoutMs, answer);
  } catch (error) {
    disconnect(client);
    throw error;
  }
}

/** Closes a connection without waiting for the server. */
export function disconnect(client: pg.Client): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

export function createPool({
  connection,
  maxConnections = bounds.databaseConnections,
  onLost = () => {},
  timeoutMs = 5_000,
}: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(connection, 'pool'),
    max: maxConnections,
    Client: reportingClient(onLost, timeoutMs),
    // Waiting for a free connection. A single timer, so it is longer than a process can be blocked.
    connectionTimeoutMillis: 3 * timeoutMs,
    query_timeout: 35_000,
  });
  // Without both listeners, a server restart under an idle connection would end this process.
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  // A connection released with an answer pending would be the first to be reused, and its next query would wait for
  // that answer. The job engine releases connections like that.
  pool.on('release', (_, client) => {
    if ((client as unknown as { readyForQuery?: boolean }).readyForQuery === false) void client.end().catch(() => {});
  });
  return pool;
}

/** Reports failed attempts to connect, for which the pool has no event. */
function reportingClient(onLost: (error: Error) => void, timeoutMs: number): typeof pg.Client {
  type Callback = Parameters<pg.Client['connect']>[0];
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: Callback): void;
    override connect(callback?: Callback): Promise<pg.Client> | undefined {
      if (callback === undefined) return super.connect();
      // An error before the pool listens is reported by the failed attempt.
      this.on('error', () => {});
      const done = callback as (error?: Error) => void;
      connect(this, 'pool', timeoutMs).then(
        () => done(),
        (error: Error) => {
          onLost(error);
          done(error);
        },
      );
      return undefined;
    }
  };
}

/** Runs `work` in a transaction. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    // A connection that fails to roll back must not be reused: it can still be in the transaction.
    client.release(broken);
  }
}
