import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '../../src/store/migrate.ts';
import { migrations } from '../../src/store/migrations.ts';
import { createPool } from '../../src/store/pool.ts';
import { fullDumpOf } from '../helpers/dump.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

async function openPool() {
  const database = await postgres.createDatabase({ isEmpty: true });
  const pool = createPool({ connection: database.connection });
  return { pool, applied: async () => (await pool.query('select name from dropline.migrations order by number')).rows };
}

const names = migrations.map(({ name }) => ({ name }));

test('if processes start concurrently, they migrate once', async () => {
  const { pool, applied } = await openPool();
  await Promise.all(Array.from({ length: 8 }, () => migrate(pool)));
  expect(await applied()).toEqual(names);
  await pool.end();
});

test('a later version adds its migrations and keeps the data', async () => {
  const { pool, applied } = await openPool();
  await migrate(pool);
  await pool.query(`insert into dropline.keyv (key, value) values ('a', 'b')`);
  await migrate(pool, [...migrations, { name: 'next', sql: 'create table dropline.next (id int)' }]);
  expect(await applied()).toEqual([...names, { name: 'next' }]);
  expect((await pool.query('select key from dropline.keyv')).rows).toEqual([{ key: 'a' }]);
  await pool.end();
});

test('a migration is recorded with the SHA-256 digest of its SQL', async () => {
  const { pool } = await openPool();
  await migrate(pool, [{ name: 'first', sql: 'select 1' }]);
  const { rows } = await pool.query('select number, name, digest from dropline.migrations');
  // printf 'select 1' | sha256sum
  const digest = '822ae07d4783158bc1912bb623e5107cc9002d519e1143a9c200ed6ee18b6d0f';
  expect(rows).toEqual([{ number: 1, name: 'first', digest }]);
  await pool.end();
});

const first = { name: 'first', sql: 'create table dropline.first (id int generated always as identity)' };
const second = { name: 'second', sql: 'create table dropline.second (id int)' };

test.each([
  ['has one more migration', [first]],
  ['has a migration with other SQL', [first, { ...second, sql: `${second.sql};` }]],
  ['has a migration with another name', [first, { ...second, name: 'third' }]],
  ['has the migrations in another order', [second, first]],
])('a database that %s is refused and unchanged', async (_, ours) => {
  const { pool } = await openPool();
  await migrate(pool, [first, second]);
  await pool.query('insert into dropline.first default values');
  const before = await fullDumpOf(pool);
  await expect(migrate(pool, ours)).rejects.toThrow(
    'This database was created by a different version of Dropline: use an empty database, or start the version that created it.',
  );
  expect(await fullDumpOf(pool)).toBe(before);
  await migrate(pool, [first, second]);
  await pool.end();
});

test('a migration can run longer than the statement timeout', async () => {
  const { connection } = await postgres.createDatabase({ isEmpty: true });
  const pool = new pg.Pool({ ...connection, query_timeout: 700, statement_timeout: 600 });
  await migrate(pool, [...migrations, { name: 'slow', sql: 'select pg_sleep(1)' }]);
  await expect(pool.query('select pg_sleep(1)')).rejects.toThrow('timeout');
  await pool.end();
});

test('a failed migration is rolled back, and the next start can migrate', async () => {
  const { pool, applied } = await openPool();
  const broken = [...migrations, { name: 'broken', sql: 'create table dropline.half (id int); select 1/0' }];
  await expect(migrate(pool, broken)).rejects.toThrow('division by zero');
  await migrate(pool);
  expect(await applied()).toEqual(names);
  expect((await pool.query(`select to_regclass('dropline.half') as half`)).rows).toEqual([{ half: null }]);
  await pool.end();
});
