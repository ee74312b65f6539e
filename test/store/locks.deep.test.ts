import { expect, test } from 'vitest';
import { LockLostError } from '../../src/store/index.ts';
import { failureOf } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

// Not shared: the test suspends a backend of the server, and dropping any of its databases would wait for that.
const postgres = startTestPostgres({ isShared: false });

test('a lock is lost within seconds when its server stops answering', async () => {
  const { store } = await setUpStore(postgres);
  const { rows } = await store.pool.query('show server_version_num');
  expect(Number(rows[0].server_version_num)).toBeGreaterThan(140_000);
  let server = 0;
  const work = store.withLock('account', undefined, async ({ signal }) => {
    const found = await store.pool.query(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'dropline lock'`,
    );
    server = found.rows[0].pid;
    process.kill(server, 'SIGSTOP');
    await expect.poll(() => signal.aborted).toBe(true);
    signal.throwIfAborted();
  });
  try {
    expect(await failureOf(work)).toBeInstanceOf(LockLostError);
  } finally {
    process.kill(server, 'SIGCONT');
  }
});
