import { expect, test } from 'vitest';
import { z } from 'zod';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();

async function setUpTexts() {
  const setup = await setUpStore(postgres);
  return { ...setup, texts: setup.store.collection({ kind: 'note', schema: z.string() }) };
}

test('reads in the same tick use one SQL statement, and each gets its own value', async () => {
  const { store, texts } = await setUpTexts();
  await texts.set('T1', 'one');
  await texts.set('T2', 'two');
  await texts.set('T3', 'expired', { ttlMs: 1 });
  await store.pool.query(`update dropline.keyv set expires_at = now() where key = 'note:T3'`);
  let statements = 0;
  store.pool.on('acquire', () => (statements += 1));
  const owners = ['T1', 'T2', 'T1', 'T3', 'T4'];
  expect(await Promise.all(owners.map((owner) => texts.get(owner)))).toEqual([
    'one',
    'two',
    'one',
    undefined,
    undefined,
  ]);
  expect(statements).toBe(1);
});

test('writes in the same tick use one SQL statement, and the last one per key wins', async () => {
  const { store, texts } = await setUpTexts();
  let statements = 0;
  store.pool.on('acquire', () => (statements += 1));
  await Promise.all([texts.set('T1', 'first'), texts.set('T2', 'other'), texts.set('T1', 'last')]);
  expect(statements).toBe(1);
  expect([await texts.get('T1'), await texts.get('T2')]).toEqual(['last', 'other']);
});

test('a read after a write sees the new value', async () => {
  const { texts } = await setUpTexts();
  await texts.set('T1', 'one');
  const before = texts.get('T1');
  await texts.set('T1', 'two');
  expect([['one', 'two'].includes((await before) ?? ''), await texts.get('T1')]).toEqual([true, 'two']);
});

test('reads fail during a database outage and succeed after it', async () => {
  const { texts, database } = await setUpTexts();
  await texts.set('T1', 'one');
  await database.disconnect();
  const results = await Promise.allSettled([texts.get('T1'), texts.get('T2')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await database.reconnect();
  expect(await texts.get('T1')).toBe('one');
});
