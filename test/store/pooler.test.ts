import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, TransactionPoolerError } from '../../src/store/index.ts';
import { createPool } from '../../src/store/pool.ts';
import { refuseTransactionPooler } from '../../src/store/pooler.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';
import { type PoolerOptions, startTransactionPooler } from '../helpers/transaction-pooler.ts';

const postgres = startTestPostgres();

async function openBehindPooler(options: PoolerOptions) {
  const connection = await startTransactionPooler(await postgres.createDatabase(), options);
  const store = await openStore({ connection, secretKeys: [randomBytes(32)], maxConnections: 2 });
  await store.close();
}

test.each<PoolerOptions>([{ ready: 0 }, { ready: 3, next: 'last' }, { ready: 2, next: 'longest' }])(
  'opening the database behind a transaction pooler fails (%o)',
  async (options) => {
    await expect(openBehindPooler(options)).rejects.toThrow(TransactionPoolerError);
  },
);

test('a transaction pooler is detected while another connection is in use', async () => {
  const connection = await startTransactionPooler(await postgres.createDatabase());
  const pool = createPool({ connection, maxConnections: 2 });
  onTestFinished(() => pool.end());
  const query = pool.query('select pg_sleep(0.2)');
  await expect(refuseTransactionPooler(pool)).rejects.toThrow(TransactionPoolerError);
  await query;
});

test('opening the database with a direct connection succeeds', async () => {
  const { openAnotherStore } = await setUpStore(postgres);
  await Promise.all(Array.from({ length: 5 }, () => openAnotherStore({ maxConnections: 2 })));
});
