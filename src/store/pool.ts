import pg from 'pg';

export interface DatabaseLog {
  warn(fields: object, message: string): void;
}

export interface DatabaseOptions {
  connection: pg.ClientConfig;
  log?: DatabaseLog | undefined;
  maxConnections?: number | undefined;
}

/**
 * Noticing that the other side is gone: by default a server keeps a vanished client's locks for over two hours. Here it
 * lets go after 35 seconds, and a client notices sooner (see advisory-lock.ts).
 */
const keepAlive = '-c tcp_keepalives_idle=20 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

/** How each connection is made, pooled or not. */
export function connectionConfig(connection: pg.ClientConfig, purpose: string): pg.ClientConfig {
  return {
    ...connection,
    application_name: `dropline ${purpose}`,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 5_000,
    options: [connection.options, keepAlive].filter(Boolean).join(' '),
  };
}

export function createPool({ connection, log, maxConnections = 20 }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(connection, 'pool'),
    max: maxConnections,
    // A statement that takes longer is stuck; nothing here is slow by nature.
    statement_timeout: 30_000,
    query_timeout: 35_000,
  });
  // Without listeners on both, a server that restarts under an idle connection would end this process.
  const note = (error: Error) => log?.warn({ err: error }, 'database connection lost');
  pool.on('error', note);
  pool.on('connect', (client) => client.on('error', note));
  return pool;
}
