import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestbed, firstLine, isAlive, lockFilePid, query } from './embedded-testbed.ts';

const testbed = createTestbed();

/**
 * Makes the data of a server that was stopped cleanly, and returns the server's pid. `writeLock` puts the server's lock
 * file back with the given pid, as if the server had not removed it.
 */
async function makeStoppedData(): Promise<{ dataDir: string; pid: number; writeLock(pid: number): Promise<void> }> {
  const dataDir = await testbed.folder();
  const limits = { retryDelaysMs: [] };
  const server = await testbed.start({ dataDir, limits });
  await query(server.connection, 'create table kept as select 1 as one');
  const path = join(dataDir, 'cluster', 'postmaster.pid');
  const lock = await readFile(path, 'utf8');
  const pid = await lockFilePid(dataDir);
  await server.stop();
  return { dataDir, pid, writeLock: (other) => writeFile(path, lock.replace(/^\d+/, String(other))) };
}

async function expectStart(dataDir: string, stalePid: number): Promise<void> {
  const server = await testbed.start({ dataDir });
  expect(server.adopted).toBe(false);
  expect(await query(server.connection, 'select one from kept')).toEqual([{ one: 1 }]);
  expect(await lockFilePid(dataDir)).not.toBe(stalePid);
}

test('a lock file that names a dead process does not block the start', async () => {
  const { dataDir, pid, writeLock } = await makeStoppedData();
  await writeLock(pid);
  await expectStart(dataDir, pid);
});

test('an unrelated program named in the lock file is ignored and survives', async () => {
  const { dataDir, writeLock } = await makeStoppedData();
  const { uid, gid } = await stat(join(dataDir, 'cluster'));
  const unrelated = spawn('sleep', ['600'], { uid, gid, cwd: '/' });
  testbed.onCleanup(() => {
    unrelated.kill();
    return once(unrelated, 'exit');
  });
  const pid = unrelated.pid ?? 0;
  await writeLock(pid);
  await expectStart(dataDir, pid);
  expect(await isAlive(pid)).toBe(true);
});

test('a lock file that names a zombie does not block the start', async () => {
  const { dataDir, writeLock } = await makeStoppedData();
  const { uid, gid } = await stat(join(dataDir, 'cluster'));
  // `exec` replaces the shell with `sleep`, which never reaps its child.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 600'], { uid, gid, cwd: '/' });
  testbed.onCleanup(() => {
    parent.kill();
    return once(parent, 'exit');
  });
  const pid = Number(await firstLine(parent));
  await writeLock(pid);
  await expectStart(dataDir, pid);
});
