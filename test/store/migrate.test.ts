import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '../../src/store/migrate.ts';
import { migrations } from '../../src/store/migrations.ts';
import { createPool } from '../../src/store/pool.ts';
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

test('a database of a newer version is rejected and unchanged', async () => {
  const { pool, applied } = await openPool();
  const newer = [...migrations, { name: 'next', sql: 'create table dropline.next (id int)' }];
  await migrate(pool, newer);
  await expect(migrate(pool)).rejects.toThrow(
    `at version ${newer.length}, but this version of Dropline supports only ${migrations.length}`,
  );
  expect(await applied()).toHaveLength(newer.length);
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
