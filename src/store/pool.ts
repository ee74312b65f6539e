import pg from 'pg';
import { bounds } from '../bounds.ts';

export interface PoolOptions {
  connection: pg.ClientConfig;
  maxConnections?: number | undefined;
  onLost?: (error: Error) => void;
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

const connectTimeoutMs = 5_000;

/** The settings of every connection, pooled or not. */
export function connectionConfig(connection: pg.ClientConfig, purpose: 'pool' | 'lock'): pg.ClientConfig {
  // pg does the same, with a warning that a later version won't.
  const connectionString = connection.connectionString?.replace(
    /^(?!.*uselibpqcompat)(.*[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/,
    '$1verify-full',
  );
  return {
    ...connection,
    ...(connectionString !== undefined && { connectionString }),
    application_name: `dropline ${purpose}`,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectTimeoutMs,
  };
}

/** Completes a new connection. PgBouncer refuses these settings as startup parameters. */
export async function applySettings(client: pg.ClientBase, purpose: 'pool' | 'lock'): Promise<void> {
  const query = { text: sessionSettings[purpose], query_timeout: connectTimeoutMs };
  await client.query(query);
}

export function createPool({
  connection,
  maxConnections = bounds.databaseConnections,
  onLost = () => {},
}: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(connection, 'pool'),
    max: maxConnections,
    Client: reportingClient(onLost),
    query_timeout: 35_000,
    onConnect: (client) => applySettings(client, 'pool'),
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
function reportingClient(onLost: (error: Error) => void): typeof pg.Client {
  type Callback = Parameters<pg.Client['connect']>[0];
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: Callback): void;
    override connect(callback?: Callback): Promise<pg.Client> | undefined {
      if (callback === undefined) return super.connect();
      super.connect((error: Error) => {
        if (error) onLost(error);
        (callback as (error: Error) => void)(error);
      });
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
