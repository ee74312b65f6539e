import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import type { Store } from '../../src/store/index.ts';
import { shareJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();
const schema = z.boolean();

const adderOf = (store: Store) => (name: string) =>
  store.collection({ kind: 'claim', schema }).add('T1', true, { name, ttlMs: 60_000 });

test('concurrent adds use one SQL statement, and each gets its own result', async () => {
  const { store } = await shareJobs(postgres);
  const add = adderOf(store);
  expect(await add('known')).toBe(true);
  let statements = 0;
  store.pool.on('acquire', () => (statements += 1));
  const names = ['new', 'known', 'new', 'other'];
  expect(await Promise.all(names.map(add))).toEqual([true, false, false, true]);
  expect(statements).toBe(1);
  expect(await Promise.all(names.map(add))).toEqual([false, false, false, false]);
});

test('processes that add the same keys in any order never deadlock', async () => {
  const { store, openAnotherStore } = await setUpStore(postgres);
  const adders = [store, await openAnotherStore(), await openAnotherStore()].map(adderOf);
  for (let round = 0; round < 20; round += 1) {
    const names = Array.from({ length: 30 }, (_, number) => `${round} ${number}`);
    const orders = [names, names.toReversed(), [...names.slice(15), ...names.slice(0, 15)]];
    const added = await Promise.all(
      adders.map((add, index) =>
        Promise.all((orders[index] ?? []).map(async (name) => ((await add(name)) ? [name] : []))),
      ),
    );
    expect(added.flat(2).sort()).toEqual(names.toSorted());
  }
});

test('a batch of adds fails during a database outage, and the next one succeeds', async () => {
  const { store, database } = await setUpStore(postgres);
  const add = adderOf(store);
  await database.disconnect();
  const results = await Promise.allSettled(['a', 'a', 'b'].map(add));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await database.reconnect();
  expect(await Promise.all(['a', 'b'].map(add))).toEqual([true, true]);
});

test.each([-3_600_000, 3_600_000])('values expire on time even if the process clock is %i ms off', async (offsetMs) => {
  const { store } = await shareJobs(postgres);
  const add = adderOf(store);
  const collection = store.collection({ kind: 'note', schema: z.string() });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offsetMs });
  onTestFinished(() => void vi.useRealTimers());
  expect(await add('heard')).toBe(true);
  expect(await add('heard')).toBe(false);
  await collection.set('T1', 'kept', { ttlMs: 60_000 });
  vi.useRealTimers();
  expect(await add('heard')).toBe(false);
  expect(await collection.get('T1')).toBe('kept');
  const ends = `select extract(epoch from expires_at - now())::float8 as seconds from dropline.keyv where key ~ '^(note|claim)'`;
  for (const { seconds } of (await store.pool.query<{ seconds: number }>(ends)).rows) {
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThan(61);
  }
});
