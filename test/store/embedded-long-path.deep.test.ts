import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestbed, query } from './embedded-testbed.ts';

const testbed = createTestbed();

test('a data path too long for a socket gets a private socket folder elsewhere', async () => {
  const dataDir = join(await testbed.folder(), 'a folder with, a "long" name '.repeat(4));
  const first = await testbed.start({ dataDir });
  const { host } = first.connection;
  expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(host).not.toContain(dataDir);
  expect((await stat(host)).mode & 0o777).toBe(0o700);
  expect((await stat(host)).uid).toBe((await stat(join(dataDir, 'cluster'))).uid);

  const second = await testbed.start({ dataDir });
  expect(second.adopted).toBe(true);
  expect(second.connection.host).toBe(host);
  await first.stop();
  expect(await query(second.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await second.stop();
  expect(existsSync(host)).toBe(false);

  const third = await testbed.start({ dataDir });
  expect(await query(third.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('the data folder can have unusual characters in its name', async () => {
  const dataDir = join(await testbed.folder(), `ä, b "c" 'd' $e`);
  const server = await testbed.start({ dataDir });
  expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});
