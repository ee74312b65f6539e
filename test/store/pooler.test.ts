import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { requireSessions } from '../../src/store/pooler.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';
import { type PoolerOptions, startTransactionPooler } from '../helpers/transaction-pooler.ts';

const postgres = startTestPostgres();
const problem = "a pooler that doesn't pool by session";

async function openBehindPooler(options: PoolerOptions) {
  const connection = await startTransactionPooler(await postgres.createDatabase(), options);
  const store = await openStore({ connection, secretKeys: [randomBytes(32)], maxConnections: 2 });
  await store.close();
}

test.each<PoolerOptions>([{ ready: 0 }, { ready: 3, next: 'last' }, { ready: 2, next: 'longest' }])(
  'opening the database behind a transaction pooler fails (%o)',
  async (options) => {
    await expect(openBehindPooler(options)).rejects.toThrow(problem);
  },
);

test('a transaction pooler is detected while another connection is in use', async () => {
  const connection = await startTransactionPooler(await postgres.createDatabase());
  const client = new pg.Client(connection);
  await client.connect();
  onTestFinished(() => client.end());
  client.query('select pg_sleep(60)').catch(() => {}); // until the test ends
  await expect(requireSessions(connection)).rejects.toThrow(problem);
});

test('opening the database with a direct connection succeeds', async () => {
  const { openAnotherStore } = await setUpStore(postgres);
  await Promise.all(Array.from({ length: 5 }, () => openAnotherStore({ maxConnections: 2 })));
});
