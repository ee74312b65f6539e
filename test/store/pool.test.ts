import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();

const backendPid = 'select pg_backend_pid() as pid';

test('a connection released with an answer pending is not reused', async () => {
  const { pool } = (await setUpStore(postgres)).store;
  const client = await pool.connect();
  const { rows: before } = await client.query(backendPid);
  const stuck = { text: 'select pg_sleep(30)', query_timeout: 100 };
  await expect(client.query(stuck)).rejects.toThrow('Query read timeout');
  client.release();
  const { rows: after } = await pool.query({ text: backendPid, query_timeout: 5_000 } as { text: string });
  expect(after[0]?.pid).not.toBe(before[0]?.pid);
});

test('a connection released after a failed statement is reused', async () => {
  const { pool } = (await setUpStore(postgres)).store;
  const pids = new Set<number>();
  for (let round = 0; round < 5; round += 1) {
    const client = await pool.connect();
    pids.add((await client.query(backendPid)).rows[0]?.pid);
    await expect(client.query('select nonsense')).rejects.toThrow('nonsense');
    await client.query('select 1');
    client.release();
  }
  expect(pids.size).toBe(1);
});
