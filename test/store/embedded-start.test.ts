import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePostgresFolder, type PostgresFolder } from '../helpers/postgres-folder.ts';
import { createTestbed, expectGone, lockFilePid, query } from './embedded-testbed.ts';

const testbed = createTestbed();

/** The tests share their data, so that only the first one has to create it. */
let folder: PostgresFolder;
const dataDirOf = ({ path }: PostgresFolder) => join(path, 'not', 'there', 'yet');
beforeAll(async () => {
  folder = await makePostgresFolder();
});
afterAll(() => folder.remove());

test('the first start creates the data, and a start after a stop finds it', async () => {
  const dataDir = dataDirOf(folder);
  const first = await testbed.start({ dataDir, settings: {} });
  expect(first.adopted).toBe(false);
  await query(first.connection, "create table kept (word text); insert into kept values ('here')");
  const pid = await lockFilePid(dataDir);
  await first.stop();
  await expectGone(pid);

  const second = await testbed.start({ dataDir, settings: {} });
  expect(second.adopted).toBe(false);
  expect(await query(second.connection, 'select word from kept')).toEqual([{ word: 'here' }]);
  expect(second.connection).toEqual(first.connection);
});

test('commits are durable, text sorts by code point, and the bot is no superuser', async () => {
  const dataDir = dataDirOf(folder);
  const server = await testbed.start({ dataDir, settings: {} });
  const facts = `
    select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      current_setting('full_page_writes') as pages, current_setting('server_encoding') as encoding,
      (select string_agg(w, '' order by w) from unnest(array['b', 'ä', 'B', 'a']) as w) as sorted, lower('Ä') as lower,
      (select rolsuper from pg_roles where rolname = current_user) as super,
      (select pg_get_userbyid(datdba) from pg_database where datname = current_database()) as owner`;
  expect(await query(server.connection, facts)).toEqual([
    {
      fsync: 'on',
      commit: 'on',
      pages: 'on',
      encoding: 'UTF8',
      sorted: 'Babä',
      lower: 'ä',
      super: false,
      owner: 'dropline',
    },
  ]);
});

test('Postgres has no network port; data and socket folders are private', async () => {
  const dataDir = dataDirOf(folder);
  const { connection } = await testbed.start({ dataDir });
  const [row] = await query(connection, "select current_setting('listen_addresses') as addresses");
  expect(row).toEqual({ addresses: '' });
  expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
  expect((await stat(join(dataDir, 'cluster'))).mode & 0o777).toBe(0o700);
  expect(existsSync(join(connection.host, `.s.PGSQL.${connection.port}`))).toBe(true);
});
