import { expect, test } from 'vitest';
import { createTestbed, expectGone, lockFilePid, query } from './embedded-testbed.ts';

const testbed = createTestbed({ program: 'linked' });

test('if several processes use one Postgres, it runs until the last of them stops', async () => {
  const dataDir = await testbed.folder();
  const first = await testbed.start({ dataDir });
  const second = await testbed.spawnStarter(dataDir);
  expect(second.adopted).toBe(true);
  expect(second.connection).toEqual(first.connection);
  const pid = await lockFilePid(dataDir);

  await first.stop();
  expect(await query(second.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await second.stop();
  await expectGone(pid);
});

test('a process that joined later can stop without ending Postgres', async () => {
  const dataDir = await testbed.folder();
  const first = await testbed.spawnStarter(dataDir);
  const second = await testbed.start({ dataDir });
  await second.stop();
  expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a killed process does not keep Postgres running', async () => {
  const dataDir = await testbed.folder();
  const first = await testbed.spawnStarter(dataDir);
  const second = await testbed.start({ dataDir });
  const pid = await lockFilePid(dataDir);
  await first.kill();
  await second.stop();
  await expectGone(pid);
});

test('if a process starts during a stop, it gets a Postgres that keeps running', async () => {
  const dataDir = await testbed.folder();
  for (let round = 0; round < 5; round++) {
    const first = await testbed.start({ dataDir });
    const [second] = await Promise.all([testbed.start({ dataDir }), first.stop()]);
    expect(await query(second.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
  }
});
