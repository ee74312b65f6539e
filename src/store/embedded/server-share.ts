import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { superuser } from './cluster.ts';

/** The role and the database of the bot. The role owns the database and isn't a superuser. */
export const owner = 'dropline';
export const database = 'dropline';

/** Any number works: there are no other locks in the superuser's own database. */
const lockKey = 1;

/**
 * A supervisor's share in the running server: a separate connection with a shared advisory lock. A supervisor that
 * stops releases its share and tries to get the lock exclusively. That succeeds only if no other process has a share.
 * Then it shuts the server down, while new processes wait for the lock and find the server gone. The share of a killed
 * process ends with its connection. In the other direction, a lost connection shows that the server has ended, even if
 * another process started it.
 */
export type ServerShare = Awaited<ReturnType<typeof takeShare>>;

/** Takes a share, and creates the bot's database if it is missing. So a share means that everything is ready. */
export async function takeShare(address: { host: string; port: number }, cluster: string) {
  const client = new pg.Client({
    ...address,
    user: superuser,
    database: 'postgres',
    ssl: false,
    application_name: 'dropline supervisor',
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
  });
  // Errors are reported by the query that fails, or by the end of the connection.
  client.on('error', () => undefined);
  const lost = new Promise<void>((resolve) => client.once('end', () => resolve()));
  // A server that hangs never confirms that the connection has ended.
  const close = () => Promise.race([client.end().catch(() => undefined), sleep(1_000, undefined, { ref: false })]);
  try {
    await client.connect();
    await requireCluster(client, cluster);
    await client.query('select pg_advisory_lock_shared($1)', [lockKey]);
    await createDatabase(client);
  } catch (error) {
    await close();
    throw error;
  }
  const handle = client as pg.Client & { ref(): void; unref(): void };
  handle.unref();
  return {
    /** Resolves when the connection has ended. Never rejects. */
    lost,
    /** Releases the share; resolves with whether no other process has one. */
    async release(): Promise<boolean> {
      handle.ref();
      await client.query('select pg_advisory_unlock_shared($1)', [lockKey]);
      const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [lockKey]);
      return rows[0]?.alone === true;
    },
    close,
  };
}

/** A stale lock file can point to the socket of another server. */
async function requireCluster(client: pg.Client, cluster: string): Promise<void> {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  const dataFolder = rows[0]?.data_directory;
  if (dataFolder !== cluster) throw new Error(`this server uses another data folder: ${dataFolder}`);
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ role: boolean; database: boolean }>(
    `select exists(select from pg_roles where rolname = $1) as role,
            exists(select from pg_database where datname = $2) as database`,
    [owner, database],
  );
  if (rows[0]?.role !== true) await client.query(`create role ${owner} login`).catch(allowExisting);
  if (rows[0]?.database !== true) {
    await client.query(`create database ${database} owner ${owner}`).catch(allowExisting);
  }
}

/** Another process created it first: duplicate object, duplicate database, or a unique violation in a race. */
function allowExisting(error: { code?: string }): void {
  if (!['42710', '42P04', '23505'].includes(error.code ?? '')) throw error;
}
