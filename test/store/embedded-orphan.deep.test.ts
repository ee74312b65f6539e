import { expect, test } from 'vitest';
import { createTestbed, expectGone, firstLine, isAlive, lockFilePid, query, until } from './embedded-testbed.ts';

const testbed = createTestbed({ program: 'linked' });

test('the next process reuses a Postgres whose bot was killed, and then stops it', async () => {
  const dataDir = await testbed.folder();
  const bot = await testbed.spawnStarter(dataDir);
  await query(bot.connection, 'create table kept as select 1 as one');
  const pid = await lockFilePid(dataDir);
  await bot.kill();

  const server = await testbed.start({ dataDir });
  expect(server.adopted).toBe(true);
  expect(server.connection).toEqual(bot.connection);
  expect(await lockFilePid(dataDir)).toBe(pid);
  expect(await query(server.connection, 'select one from kept')).toEqual([{ one: 1 }]);
  await server.stop();
  await expectGone(pid);
});

test('if a Postgres was reused after a kill, it is restarted when it crashes', async () => {
  const dataDir = await testbed.folder();
  const bot = await testbed.spawnStarter(dataDir);
  await bot.kill();
  const server = await testbed.start({ dataDir });
  const pid = await lockFilePid(dataDir);
  process.kill(pid, 'SIGKILL');
  await until('another server answers', async () => {
    const rows = await query(server.connection, 'select 1 as one').catch(() => []);
    return rows.length === 1 && (await lockFilePid(dataDir)) !== pid;
  });
});

test('a running Postgres does not keep an idle process alive', async () => {
  const dataDir = await testbed.folder();
  const child = testbed.spawnIdle(dataDir);
  child.stdin?.end();
  expect(JSON.parse(await firstLine(child))).toMatchObject({ adopted: false });
  await until('the process has ended', async () => child.exitCode !== null);
  expect(child.exitCode).toBe(0);
});

test('an idle process stays alive until its Postgres has stopped', async () => {
  const dataDir = await testbed.folder();
  const child = testbed.spawnBrief(dataDir);
  child.stdin?.end();
  await until('the process has ended', async () => child.exitCode !== null);
  expect(child.exitCode).toBe(0);
  await expect(lockFilePid(dataDir)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('Ctrl-C in a terminal ends the bot but not its Postgres', async () => {
  const dataDir = await testbed.folder();
  const bot = await testbed.spawnStarter(dataDir);
  const pid = await lockFilePid(dataDir);
  // A terminal signals the whole process group of the bot.
  process.kill(-bot.pid, 'SIGINT');
  await until('the bot has ended', async () => !(await isAlive(bot.pid)));
  expect(await isAlive(pid)).toBe(true);
  expect(await query(bot.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});
