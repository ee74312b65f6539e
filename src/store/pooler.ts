import pg from 'pg';
import { connectionConfig } from './pool.ts';
import { DatabaseProblem, explainDatabaseError } from './problem.ts';

/**
 * Connects, and throws a DatabaseProblem if that fails or if a pooler switches backends. A lock belongs to a Postgres
 * backend. Direct connections and session poolers keep their backend; other poolers give it, and the lock with it, to
 * the next client. This comes before any session setting, which such a pooler would give to other programs.
 */
export async function requireSessions(connection: pg.ClientConfig): Promise<void> {
  const clients: pg.Client[] = [];
  const connect = async () => {
    const config = connectionConfig(connection, 'pool');
    const client = new pg.Client({ ...config, connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
    clients.push(client.on('error', () => {}));
    await client.connect();
    return client;
  };
  try {
    // Both connect before the first query, because later connections would change the order of the pooler's idle
    // backends.
    const client = await connect();
    await compareBackends(client, await connect());
  } catch (error) {
    throw explainDatabaseError(error);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function compareBackends(client: pg.Client, other: pg.Client): Promise<void> {
  const backend = await backendOf(client);
  // A pooler that rotates its backends switches right away.
  refuseUnless(backend === (await backendOf(client)));
  // A statement pooler refuses transactions.
  await other.query('begin').catch((error: unknown) => refuseUnless((error as { code?: string }).code !== '08P01'));
  // A pooler that reuses the last backend now gives the one of `client` to `other`.
  refuseUnless(backend !== (await backendOf(other)));
  refuseUnless(backend === (await backendOf(client)));
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

function refuseUnless(isOwnBackend: boolean): void {
  if (isOwnBackend) return;
  throw new DatabaseProblem(
    "DATABASE_URL points to a pooler that doesn't pool by session, so locks would be lost",
    'Connect to Postgres directly, or set the pooler to session pooling.',
  );
}
