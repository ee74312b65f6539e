import pg from 'pg';
import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { query } from './embedded-testbed.ts';

const postgres = startTestPostgres();
const unshared = startTestPostgres({ isShared: false });

test('each test database is isolated and no longer exists once dropped', async () => {
  const [one, other] = [await postgres.createDatabase(), await postgres.createDatabase()];
  await query(one.connection, 'create table mine (n int)');
  expect(await query(other.connection, "select to_regclass('mine') as found")).toEqual([{ found: null }]);
  const [{ found } = {}] = await query(
    { connectionString: one.connectionString },
    "select to_regclass('mine') as found",
  );
  expect(found).toBe('mine');
  await one.drop();
  await expect(query(one.connection, 'select 1')).rejects.toMatchObject({ code: '3D000' });
});

test('a database can be dropped while a connection to it is open', async () => {
  const database = await postgres.createDatabase();
  const client = new pg.Client(database.connection);
  const lost = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  await database.drop();
  expect(await lost).toMatchObject({ code: '57P01' });
});

test('a database has every table from the start, unless isEmpty is set', async () => {
  const tables = `select count(*)::int as count from pg_tables where schemaname in ('dropline', 'graphile_worker')`;
  const [full, empty] = [await postgres.createDatabase(), await postgres.createDatabase({ isEmpty: true })];
  const [{ count } = {}] = await query(full.connection, tables);
  expect(count).toBeGreaterThan(10);
  expect(await query(empty.connection, tables)).toEqual([{ count: 0 }]);
});

test('an unshared test server is another Postgres process than the shared one', async () => {
  const started = 'select pg_postmaster_start_time()::text as at';
  const [shared, own] = [await postgres.createDatabase(), await unshared.createDatabase()];
  expect(await query(shared.connection, started)).not.toEqual(await query(own.connection, started));
});
