import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { EmbeddedPostgres } from '../../src/store/embedded/index.ts';
import { createTestbed, expectGone, isAlive, lockFilePid, query, until } from './embedded-testbed.ts';

const testbed = createTestbed();

function collectLog() {
  const messages: string[] = [];
  const add = (_: object, message: string) => void messages.push(message);
  return { messages, log: { info: add, warn: add } };
}

/** Writes rows until the server is gone. Resolves with the acknowledged rows. */
async function writeUntilGone(connection: EmbeddedPostgres['connection'], onRow: (n: number) => void) {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  const acknowledged: number[] = [];
  try {
    for (let n = 0; ; n++) {
      await client.query('insert into written values ($1)', [n]);
      acknowledged.push(n);
      onRow(n);
    }
  } catch {
    return acknowledged;
  } finally {
    await client.end().catch(() => undefined);
  }
}

test('if Postgres is killed while it writes, it restarts with every acknowledged row', async () => {
  const dataDir = await testbed.folder();
  const { messages, log } = collectLog();
  const server = await testbed.start({ dataDir, log, settings: {} });
  await query(server.connection, 'create table written (n int)');
  for (const round of [1, 2]) {
    await query(server.connection, 'truncate written');
    const pid = await lockFilePid(dataDir);
    const acknowledged = await writeUntilGone(server.connection, (n) => {
      if (n === 100 * round) process.kill(pid, 'SIGKILL');
    });
    expect(acknowledged.length).toBeGreaterThan(100 * round);
    await until(
      'Postgres is restarted',
      async () => messages.filter((message) => message === 'Postgres restarted').length === round,
    );
    const rows = await query(server.connection, 'select n from written order by n');
    expect(rows.map(({ n }) => n).slice(0, acknowledged.length)).toEqual(acknowledged);
    expect(await lockFilePid(dataDir)).not.toBe(pid);
  }
  expect(messages).toContain('Postgres ended: restarting it');
});

test('Postgres is restarted after every crash', async () => {
  const dataDir = await testbed.folder();
  const { messages, log } = collectLog();
  await testbed.start({ dataDir, log, limits: { retryDelaysMs: [0, 10] } });
  for (let crash = 1; crash <= 4; crash++) {
    process.kill(await lockFilePid(dataDir), 'SIGKILL');
    await until(
      'Postgres is restarted',
      async () => messages.filter((message) => message === 'Postgres restarted').length === crash,
    );
  }
});

test.each([0, 600_000])('stopping during a recovery after %i ms leaves no process behind', async (delayMs) => {
  const dataDir = await testbed.folder();
  const { messages, log } = collectLog();
  const server = await testbed.start({ dataDir, log, limits: { retryDelaysMs: [delayMs] } });
  const pid = await lockFilePid(dataDir);
  process.kill(pid, 'SIGKILL');
  const isNoticed = async () => messages.includes('Postgres ended: restarting it');
  await until('the crash is noticed', isNoticed);
  // By now, a server that is restarted at once is starting.
  if (delayMs === 0) await until('a server is started', async () => (await lockFilePid(dataDir)) !== pid);
  await server.stop();
  await expectGone(pid);
  expect(await lockFilePid(dataDir).then(isAlive, () => false)).toBe(false);
});

test('stopping a hanging Postgres kills it after the time limits and keeps its data', async () => {
  const dataDir = await testbed.folder();
  const server = await testbed.start({ dataDir, limits: { fastMs: 200, immediateMs: 200 } });
  await query(server.connection, 'create table kept as select 1 as one');
  const pid = await lockFilePid(dataDir);
  process.kill(pid, 'SIGSTOP');
  await server.stop();
  await expectGone(pid);
  const again = await testbed.start({ dataDir });
  expect(await query(again.connection, 'select one from kept')).toEqual([{ one: 1 }]);
});

test('after a backend crash, Postgres resets itself and is supervised again', async () => {
  const dataDir = await testbed.folder();
  const server = await testbed.start({ dataDir });
  const pid = await lockFilePid(dataDir);
  const client = new pg.Client(server.connection);
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
  // Postgres still answers until it notices the crash.
  await until('Postgres resets itself', async () =>
    (await readFile(join(dataDir, 'postgres.log'), 'utf8')).includes('reinitializing'),
  );
  await until('Postgres answers again', () =>
    query(server.connection, 'select 1').then(
      () => true,
      () => false,
    ),
  );
  expect(await lockFilePid(dataDir)).toBe(pid);
  await until('the supervisor holds its lock again', async () => {
    const held = await query(
      { ...server.connection, user: 'postgres' },
      "select 1 from pg_locks where locktype = 'advisory'",
    ).catch(() => []);
    return held.length === 1;
  });
  await server.stop();
  await expectGone(pid);
});
