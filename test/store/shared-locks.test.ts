import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Store } from '../../src/store/index.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();

const accounts = Array.from({ length: 60 }, (_, index) => `https://files.example.com/account-${index}`);

/** The backends of the lock connections to this database. */
async function lockConnections({ pool }: Store): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'dropline lock'`,
  );
  return rows.map(({ pid }) => pid);
}

test('sixty slow token renewals share one connection and block no other account', async () => {
  const { store } = await setUpStore(postgres);
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  let waiting = 0;
  let answer = () => {};
  const page = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const renewals = accounts.map((account) =>
    store.tokens.exclusively(account, async () => {
      waiting += 1;
      await page;
    }),
  );
  await expect.poll(() => waiting, { timeout: 20_000 }).toBe(accounts.length);
  expect(await store.tokens.exclusively('https://quick.example.com/api', async () => 'renewed')).toBe('renewed');
  expect(await lockConnections(store)).toHaveLength(1);
  answer();
  await Promise.all(renewals);
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

test('a hundred waits for a lock use one connection per process', async () => {
  const { store, openAnotherStore } = await setUpStore(postgres);
  const other = await openAnotherStore();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let done = 0;
  const waiting = Array.from({ length: 100 }, (_, index) =>
    (index % 2 === 0 ? store : other).withLock('account', undefined, async () => {
      await released;
      done += 1;
    }),
  );
  expect(await other.withLock('another account', undefined, async () => 'at once')).toBe('at once');
  await expect.poll(() => lockConnections(store)).toHaveLength(2);
  release();
  await Promise.all(waiting);
  expect(done).toBe(100);
});

test('token renewals run one at a time across processes, even if some fail', async () => {
  const { store, openAnotherStore } = await setUpStore(postgres);
  const stores = [store, await openAnotherStore(), await openAnotherStore()];
  let inside = 0;
  const seen: number[] = [];
  const renewals = Array.from({ length: 30 }, (_, index) =>
    stores[index % 3]?.tokens.exclusively('account', async () => {
      inside += 1;
      await sleep(5);
      seen.push(inside);
      inside -= 1;
      if (index % 5 === 0) throw new Error('renewal failed');
    }),
  );
  const outcomes = await Promise.allSettled(renewals);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(6);
  expect(seen).toEqual(Array(30).fill(1));
});

test('a lost connection frees its locks, and its process can lock again', async () => {
  const { store, openAnotherStore } = await setUpStore(postgres);
  const other = await openAnotherStore();
  let release = () => {};
  const stuck = store.tokens.exclusively('account', () => new Promise<void>((resolve) => (release = resolve)));
  await expect.poll(() => lockConnections(store)).toHaveLength(1);
  const waiting = other.tokens.exclusively('account', async () => 'renewed');
  await expect.poll(() => lockConnections(store)).toHaveLength(2);
  const { rows } = await store.pool.query<{ pid: number }>(
    `select pid, pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  expect(rows).toHaveLength(1);
  expect(await waiting).toBe('renewed');
  release();
  await stuck;
  expect(await store.tokens.exclusively('account', async () => 'renewed')).toBe('renewed');
  expect(await lockConnections(store)).not.toContain(rows[0]?.pid);
});
