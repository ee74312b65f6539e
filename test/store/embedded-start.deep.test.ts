import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestbed, expectGone, lockFilePid, query } from './embedded-testbed.ts';

const testbed = createTestbed();

test('concurrent starts in an empty folder share a Postgres; the last stop ends it', async () => {
  const dataDir = await testbed.folder();
  const servers = await Promise.all([1, 2, 3].map(() => testbed.start({ dataDir })));
  expect(servers.filter((server) => !server.adopted)).toHaveLength(1);
  const pid = await lockFilePid(dataDir);
  await Promise.all(servers.slice(1).map((server) => server.stop()));
  expect(await query(servers[0]?.connection ?? {}, 'select 1 as one')).toEqual([{ one: 1 }]);
  await Promise.all([servers[0]?.stop(), servers[0]?.stop()]);
  await expectGone(pid);
});

test('concurrent starts on existing data share a Postgres', async () => {
  const dataDir = await testbed.folder();
  await (await testbed.start({ dataDir })).stop();
  const servers = await Promise.all([1, 2, 3, 4].map(() => testbed.start({ dataDir })));
  expect(servers.filter((server) => !server.adopted)).toHaveLength(1);
});

test('a data folder that other users of the machine can read is made private again', async () => {
  const dataDir = await testbed.folder();
  await (await testbed.start({ dataDir })).stop();
  await chmod(join(dataDir, 'cluster'), 0o2770);
  await testbed.start({ dataDir });
  expect((await stat(join(dataDir, 'cluster'))).mode & 0o777).toBe(0o700);
});
