import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { query } from './embedded-testbed.ts';

const postgres = startTestPostgres();

test('Tests get databases of their own, which are empty, and go when dropped', async () => {
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

test('A database can be dropped under an open connection', async () => {
  const database = await postgres.createDatabase();
  const client = new pg.Client(database.connection);
  const lost = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  await database.drop();
  expect(await lost).toMatchObject({ code: '57P01' });
});

describe('Another suite of the same file', () => {
  const same = startTestPostgres();
  test('shares the server', async () => {
    const [one, other] = [await postgres.createDatabase(), await same.createDatabase()];
    const started = 'select pg_postmaster_start_time()::text as at';
    expect(await query(one.connection, started)).toEqual(await query(other.connection, started));
  });
});
