import { createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createLocks } from '../../src/store/locks.ts';
import { createPool } from '../../src/store/pool.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { serve } from '../helpers/serve.ts';
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

/** Starts a pool with one connection, and locks. */
function setUpShort(connection: ClientConfig, timeoutMs: number) {
  const pool = createPool({ connection, maxConnections: 1, timeoutMs });
  const locks = createLocks(connection, () => {}, timeoutMs);
  onTestFinished(() => Promise.all([pool.end(), locks.close()]).then(() => {}));
  return { pool, withLock: () => locks.withLock('account', undefined, async () => 'locked') };
}

const outcomesOf = async (work: Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map((outcome) => ('reason' in outcome ? String(outcome.reason) : 'done'));

test('a blocked event loop fails no connection that the database accepts', async () => {
  const { connection } = await postgres.createDatabase({ isEmpty: true });
  const { pool, withLock } = setUpShort(connection, 500);
  const full = setUpShort(connection, 500).pool;
  const held = await full.connect();
  const work = [
    pool.query('select 1'),
    full.query('select 1'),
    withLock(),
    held.query('select 1').then(() => held.release()),
  ];
  await setImmediate(); // The servers' first answers arrive while the event loop is blocked.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 550);
  expect(await outcomesOf(work)).toEqual(work.map(() => 'done'));
});

test('a server that accepts connections and never answers is noticed', async () => {
  const url = new URL(await serve(createServer((client) => client.on('error', () => {}).resume())));
  const { pool, withLock } = setUpShort({ connectionString: `postgresql://x@${url.host}/y` }, 50);
  const outcomes = await outcomesOf([pool.query('select 1'), withLock()]);
  for (const outcome of outcomes) expect(outcome).toMatch(/the database does not answer|connection timeout/);
});

test('a wait for a free connection ends in time', async () => {
  const { connection } = await postgres.createDatabase({ isEmpty: true });
  const { pool } = setUpShort(connection, 100);
  const held = await pool.connect();
  await expect(pool.query('select 1')).rejects.toThrow('timeout exceeded when trying to connect');
  held.release();
  await pool.query('select 1');
});
