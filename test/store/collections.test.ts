import { expect, test } from 'vitest';
import { z } from 'zod';
import { shareJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();
const note = z.object({ text: z.string() });

test('a stored value is found only under its owner and name', async () => {
  const { store } = await shareJobs(postgres);
  const notes = store.collection({ kind: 'note', schema: note });
  const names = ['T1', 'T_1', 'T%1', 'T1 x', 'T1:x', 'note:T1', 'ä', 'x'.repeat(80)];
  for (const owner of names) {
    await notes.set(owner, { text: owner });
    for (const name of names) await notes.set(owner, { text: `${owner}/${name}` }, { name });
  }
  for (const owner of names) {
    expect(await notes.get(owner)).toEqual({ text: owner });
    for (const name of names) expect(await notes.get(owner, name)).toEqual({ text: `${owner}/${name}` });
  }
  expect(await notes.get('T2')).toBeUndefined();
  expect(await store.collection({ kind: 'other', schema: note }).get('T1')).toBeUndefined();
  expect((await notes.listOwners()).sort()).toEqual([...names].sort());
});

test('purging a workspace deletes all its values and no other values', async () => {
  const { store } = await shareJobs(postgres);
  const notes = store.collection({ kind: 'note', schema: note });
  const otherOwners = ['T', 'T12', 'T_', 'T1:x', 'U1'];
  for (const owner of ['T1', ...otherOwners]) {
    await notes.set(owner, { text: owner });
    await notes.set(owner, { text: owner }, { name: 'T1' });
  }
  await store.audit.record({ workspace: 'T1', person: 'U1', action: 'connect', outcome: 'done', reference: 'r' });
  await store.audit.record({ workspace: 'T12', person: 'U1', action: 'connect', outcome: 'done', reference: 'r' });
  await store.purgeWorkspace('T1');
  await store.purgeWorkspace('T1');
  expect(await notes.get('T1')).toBeUndefined();
  expect(await notes.get('T1', 'T1')).toBeUndefined();
  expect(await store.audit.list('T1')).toEqual([]);
  expect((await notes.listOwners()).sort()).toEqual([...otherOwners].sort());
  expect(await store.audit.list('T12')).toHaveLength(1);
});

test('exactly one of twenty concurrent take calls gets the value', async () => {
  const { store, openAnotherStore } = await shareJobs(postgres);
  const collections = [
    store.collection({ kind: 'draft', schema: note }),
    (await openAnotherStore()).collection({ kind: 'draft', schema: note }),
  ];
  await collections[0]?.set('T1', { text: 'once' });
  const taken = await Promise.all(Array.from({ length: 20 }, (_, index) => collections[index % 2]?.take('T1')));
  expect(taken.filter((value) => value !== undefined)).toEqual([{ text: 'once' }]);
});

test('an expired value is not found, and the next sweep deletes its row', async () => {
  const { store } = await shareJobs(postgres);
  const notes = store.collection({ kind: 'note', schema: note });
  await notes.set('T1', { text: 'short' }, { ttlMs: 1 });
  await notes.set('T2', { text: 'short' }, { ttlMs: 1 });
  await notes.set('T3', { text: 'long' }, { ttlMs: 3_600_000 });
  await expect.poll(() => notes.listOwners()).toEqual(['T3']);
  expect(await notes.take('T1')).toBeUndefined();
  expect(await store.sweep()).toMatchObject({ keyv: 2 });
  expect(await notes.get('T2')).toBeUndefined();
  expect(await notes.get('T3')).toEqual({ text: 'long' });
});

test.each([0, -1, Number.NaN])('a time to live of %s milliseconds is rejected', async (ttlMs) => {
  const { store } = await shareJobs(postgres);
  await expect(store.collection({ kind: 'note', schema: note }).set('T1', { text: 'x' }, { ttlMs })).rejects.toThrow(
    'ttlMs must be positive',
  );
  expect(await store.collection({ kind: 'note', schema: note }).listOwners()).toEqual([]);
});

test("a value that doesn't match its schema fails on write and on read", async () => {
  const { store } = await shareJobs(postgres);
  await store.collection({ kind: 'note', schema: z.object({ other: z.number() }) }).set('T1', { other: 1 });
  await expect(store.collection({ kind: 'note', schema: note }).get('T1')).rejects.toThrow(
    'note T1 does not match its schema',
  );
  await expect(store.collection({ kind: 'note', schema: note }).set('T2', { text: 1 } as never)).rejects.toThrow();
  expect(await store.collection({ kind: 'note', schema: note }).listOwners()).toEqual(['T1']);
});

test('without a database, reads and writes reject; none reports a missing value', async () => {
  const { store, database } = await setUpStore(postgres);
  const notes = store.collection({ kind: 'note', schema: note });
  await notes.set('T1', { text: 'there' });
  await database.drop();
  await expect(notes.get('T1')).rejects.toThrow();
  await expect(notes.set('T1', { text: 'x' })).rejects.toThrow();
  await expect(notes.delete('T1')).rejects.toThrow();
  await expect(notes.take('T1')).rejects.toThrow();
  await expect(notes.listOwners()).rejects.toThrow();
  await expect(store.tokens.read('account')).rejects.toThrow();
  await expect(store.ping()).rejects.toThrow();
});

test('one of many concurrent adds succeeds; after expiry or removal, another succeeds', async () => {
  const { store } = await shareJobs(postgres);
  const claims = store.collection({ kind: 'claim', schema: z.boolean() });
  const claim = (ttlMs: number) => claims.add('T1', true, { name: 'delivery', ttlMs });
  const results = await Promise.all(Array.from({ length: 8 }, () => claim(60_000)));
  expect(results.filter(Boolean)).toHaveLength(1);
  expect(await claims.get('T1', 'delivery')).toBe(true);
  await claims.delete('T1', 'delivery');
  expect(await claim(1)).toBe(true);
  await expect.poll(() => claim(60_000)).toBe(true);
  expect(await claim(60_000)).toBe(false);
});

const list = { kind: 'list', schema: z.array(z.number()) };

test('concurrent updates in two processes all take effect, even if no value existed', async () => {
  const { store, openAnotherStore } = await shareJobs(postgres);
  const stores = [store, await openAnotherStore()];
  const numbers = Array.from({ length: 40 }, (_, number) => number);
  await Promise.all(
    numbers.map((number) =>
      (stores[number % 2] ?? store).collection(list).update('T1', (before = []) => [...before, number]),
    ),
  );
  expect((await store.collection(list).get('T1'))?.sort((a, b) => a - b)).toEqual(numbers);
});

test('an update ignores an expired value, sets a new expiry and can delete the value', async () => {
  const { store } = await shareJobs(postgres);
  const lists = store.collection(list);
  await lists.set('T1', [1], { ttlMs: 1 });
  await store.pool.query("update dropline.keyv set expires_at = now() - interval '1 second'");
  expect(await lists.update('T1', (before = []) => [...before, 2], { ttlMs: 60_000 })).toEqual([2]);
  const { rows } = await store.pool.query(
    "select expires_at > now() + interval '50 seconds' as later from dropline.keyv",
  );
  expect(rows).toContainEqual({ later: true });
  expect(await lists.update('T1', () => undefined)).toBeUndefined();
  expect(await lists.listOwners()).toEqual([]);
  expect(await lists.update('T2', () => undefined)).toBeUndefined();
  expect(await lists.listOwners()).toEqual([]);
});

test('if an update throws or is invalid, nothing changes, and the next update runs', async () => {
  const { store } = await shareJobs(postgres);
  const lists = store.collection(list);
  await lists.set('T1', [1]);
  const failing = lists.update('T1', () => {
    throw new Error('refused');
  });
  const invalid = lists.update('T1', () => ['x'] as unknown as number[]);
  const last = lists.update('T1', (before = []) => [...before, 2]);
  await expect(failing).rejects.toThrow('refused');
  await expect(invalid).rejects.toThrow();
  expect(await last).toEqual([1, 2]);
  await expect(lists.update('T3', () => ['x'] as unknown as number[])).rejects.toThrow();
  expect(await lists.get('T3')).toBeUndefined();
});

test('200 updates of one value use at most three connections and block no other query', async () => {
  const { store } = await setUpStore(postgres);
  const lists = store.collection(list);
  const all = Array.from({ length: 200 }, (_, number) => lists.update('T1', (before = []) => [...before, number]));
  await store.ping();
  expect(store.pool.totalCount).toBeLessThanOrEqual(3);
  await Promise.all(all);
  expect(await lists.get('T1')).toHaveLength(200);
});
