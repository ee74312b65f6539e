import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { type HeldLock, LockLostError } from '../../src/store/index.ts';
import { createLocks } from '../../src/store/locks.ts';
import { connect, connectionConfig } from '../../src/store/pool.ts';
import { failureOf } from '../helpers/exchange.ts';
import { shareJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();

test('a lock has one holder at a time across processes', async () => {
  const { store, openAnotherStore } = await shareJobs(postgres);
  const other = await openAnotherStore();
  let holders = 0;
  let maxHolders = 0;
  const useLock = (index: number) =>
    (index % 2 ? store : other).withLock('account', undefined, async () => {
      holders += 1;
      maxHolders = Math.max(maxHolders, holders);
      await sleep(2);
      holders -= 1;
    });
  await Promise.all(Array.from({ length: 20 }, (_, index) => useLock(index)));
  expect(maxHolders).toBe(1);
});

test('locks with different names do not block each other', async () => {
  const { store } = await shareJobs(postgres);
  await store.withLock('one', undefined, () => store.withLock('two', undefined, async () => {}));
});

test('a lock is released when the work under it fails', async () => {
  const { store } = await shareJobs(postgres);
  const failing = store.withLock('account', undefined, async () => {
    throw new Error('work failed');
  });
  await expect(failing).rejects.toThrow('work failed');
  await store.withLock('account', undefined, async () => {});
});

test('losing a lock aborts the work under it before the next step', async () => {
  const { store } = await setUpStore(postgres);
  const steps: string[] = [];
  const work = store.withLock('account', undefined, async ({ signal, check }: HeldLock) => {
    await check();
    steps.push('one');
    await store.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'dropline lock'`,
    );
    await expect.poll(() => signal.aborted).toBe(true);
    await check();
    steps.push('two');
  });
  expect(await failureOf(work)).toBeInstanceOf(LockLostError);
  expect(steps).toEqual(['one']);
});

test('a blocked event loop loses no lock that the database still holds', async () => {
  const { database } = await shareJobs(postgres);
  const locks = createLocks(database.connection, () => {}, 100);
  onTestFinished(() => locks.close());
  await locks.withLock('account', undefined, async ({ signal, check }) => {
    const checked = check();
    await setImmediate(); // The question is sent, and its answer arrives while the event loop is blocked.
    const until = performance.now() + 150;
    while (performance.now() < until);
    await checked;
    expect(signal.aborted).toBe(false);
  });
});

test('an aborted wait for a lock neither gets the lock nor blocks other waits', async () => {
  const { store } = await shareJobs(postgres);
  const controller = new AbortController();
  await store.withLock('account', undefined, async () => {
    const waiting = store.withLock('account', controller.signal, async () => {
      throw new Error('the lock was acquired');
    });
    controller.abort(new Error('given up'));
    await expect(waiting).rejects.toThrow('given up');
  });
  await store.withLock('account', undefined, async () => {});
});

test('if work is aborted before it gets its lock, it never runs', async () => {
  const { store } = await shareJobs(postgres);
  let hasStarted = false;
  const work = store.withLock('account', AbortSignal.abort(new Error('given up')), async () => {
    hasStarted = true;
  });
  await expect(work).rejects.toThrow('given up');
  expect(hasStarted).toBe(false);
});

test("a connection's own settings override those of the database URL", async () => {
  const { connectionString } = await postgres.createDatabase({ isEmpty: true });
  const options = '-c geqo=off -c statement_timeout=7s -c lock_timeout=7s';
  const address = `${connectionString}${connectionString.includes('?') ? '&' : '?'}options=${encodeURIComponent(options)}`;
  for (const [purpose, expected] of [
    ['lock', ['off', '0', '0', '5s']],
    ['pool', ['off', '30s', '7s', '5s']],
  ] as const) {
    const client = new pg.Client(connectionConfig({ connectionString: address }, purpose));
    await connect(client, purpose, 5_000);
    const names = ['geqo', 'statement_timeout', 'lock_timeout', 'client_connection_check_interval'];
    const { rows } = await client.query(
      `select ${names.map((name) => `current_setting('${name}')`).join(" || ' ' || ")} as values`,
    );
    await client.end();
    expect(rows).toEqual([{ values: expected.join(' ') }]);
  }
});
