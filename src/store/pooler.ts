import type pg from 'pg';
import { inTransaction } from './pool.ts';

export class TransactionPoolerError extends Error {
  override readonly name = 'TransactionPoolerError';
}

/**
 * Throws behind a transaction pooler. A lock belongs to a Postgres backend. A direct connection keeps its backend, and
 * so does a session pooler. A transaction pooler gives it to the next client, and the lock with it.
 */
export async function refuseTransactionPooler(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    const own = await backendOf(client);
    // A pooler that uses its backends in turn switches right away.
    refuseUnless(own === (await backendOf(client)));
    await inTransaction(pool, async (other) => {
      // A pooler that reuses the last backend has given ours away.
      refuseUnless(own !== (await backendOf(other)));
      refuseUnless(own === (await backendOf(client)));
    });
  } finally {
    client.release();
  }
}

async function backendOf(client: pg.PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

function refuseUnless(isOwnBackend: boolean): void {
  if (isOwnBackend) return;
  throw new TransactionPoolerError(
    'DATABASE_URL leads to a pooler that changes connections between transactions, and locks are lost there. Connect to Postgres directly, or set the pooler to session pooling.',
  );
}
