import type pg from 'pg';

export class TransactionPoolerError extends Error {
  override readonly name = 'TransactionPoolerError';
}

/**
 * Throws behind a transaction pooler. A lock belongs to a Postgres backend. Direct connections and session poolers keep
 * their backend; a transaction pooler gives it, and the lock with it, to the next client.
 */
export async function refuseTransactionPooler(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    // Both connections are taken before the first query, because later connections would change the order of the
    // pooler's idle backends.
    const other = await pool.connect();
    try {
      await compareBackends(client, other);
    } finally {
      // Closes the connection, which ends its transaction.
      other.release(true);
    }
  } finally {
    client.release();
  }
}

async function compareBackends(client: pg.PoolClient, other: pg.PoolClient): Promise<void> {
  const backend = await backendOf(client);
  // A pooler that rotates its backends switches right away.
  refuseUnless(backend === (await backendOf(client)));
  await other.query('begin');
  // A pooler that reuses the last backend now gives the one of `client` to `other`.
  refuseUnless(backend !== (await backendOf(other)));
  refuseUnless(backend === (await backendOf(client)));
}

async function backendOf(client: pg.PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

function refuseUnless(isOwnBackend: boolean): void {
  if (isOwnBackend) return;
  throw new TransactionPoolerError(
    'DATABASE_URL points to a transaction pooler, which loses locks. Connect to Postgres directly, or set the pooler to session pooling.',
  );
}
