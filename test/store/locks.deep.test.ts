import { expect, test } from 'vitest';
import { LockLostError } from '../../src/store/index.ts';
import { failureOf } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

// Not shared, because the test suspends a backend, and dropping any database of the same server would wait for it.
const postgres = startTestPostgres({ isShared: false });

test('a lock is lost within seconds when the database stops answering', async () => {
  const { store } = await setUpStore(postgres);
  const { rows } = await store.pool.query('show server_version_num');
  expect(Number(rows[0].server_version_num)).toBeGreaterThan(140_000);
  let backendPid = 0;
  const work = store.withLock('account', undefined, async ({ signal }) => {
    const found = await store.pool.query(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'dropline lock'`,
    );
    backendPid = found.rows[0].pid;
    process.kill(backendPid, 'SIGSTOP');
    await expect.poll(() => signal.aborted).toBe(true);
    signal.throwIfAborted();
  });
  try {
    expect(await failureOf(work)).toBeInstanceOf(LockLostError);
  } finally {
    process.kill(backendPid, 'SIGCONT');
  }
});
