import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { chooseAccount } from '../../src/store/embedded/account.ts';
import { findInaccessibleFolder } from '../../src/store/embedded/folders.ts';
import { createTestbed, isRoot, lockFilePid, query } from './embedded-testbed.ts';

const nobody = { uid: 65534, gid: 65534 };
// Node can be installed in root's home, which other accounts can't enter.
const othersCanRunNode = isRoot && (await findInaccessibleFolder(dirname(process.execPath), nobody)) === undefined;
const testbed = createTestbed(othersCanRunNode ? { program: 'standalone' } : {});

test('accounts other than root run Postgres themselves', async () => {
  expect(await chooseAccount({ uid: process.getuid?.() || 1000, gid: 1000 }, undefined)).toBeUndefined();
});

test('root without another account for Postgres gets an error with a fix', async () => {
  await expect(chooseAccount({ uid: 0, gid: 0 }, undefined, '/dev/null')).rejects.toMatchObject({
    name: 'EmbeddedPostgresError',
    message: expect.stringMatching(/as root.*ordinary user.*DATABASE_URL/),
  });
});

if (isRoot) {
  describe('if root starts Postgres', () => {
    test('Postgres and its data belong to another account', async () => {
      const dataDir = join(await testbed.folder(), 'data');
      const first = await testbed.start({ dataDir });
      const { uid } = await stat(join(dataDir, 'cluster'));
      expect(uid).not.toBe(0);
      expect((await stat(`/proc/${await lockFilePid(dataDir)}`)).uid).toBe(uid);
      expect((await stat(dataDir)).uid).toBe(0);
      await first.stop();
    });

    test('existing data keeps its owner, even if new data would get another one', async () => {
      const dataDir = await testbed.folder();
      await (await testbed.start({ dataDir })).stop();
      const other = (await stat(join(dataDir, 'cluster'))).uid === 12345 ? 12346 : 12345;
      await chownAll(join(dataDir, 'cluster'), other);
      const server = await testbed.start({ dataDir });
      expect((await stat(`/proc/${await lockFilePid(dataDir)}`)).uid).toBe(other);
      expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    });

    test('if the account of Postgres cannot enter a folder, the error suggests a fix', async () => {
      const closed = join(await testbed.folder(), 'closed');
      await mkdir(closed, { mode: 0o700 });
      await expect(testbed.start({ dataDir: join(closed, 'data') })).rejects.toMatchObject({
        name: 'EmbeddedPostgresError',
        message: expect.stringMatching(`cannot enter ${closed}: run chmod o\\+x ${closed}, or set DATA_DIR`),
      });
      await chmod(closed, 0o711);
      await testbed.start({ dataDir: join(closed, 'data') });
    });

    test('data owned by root gives an error with a fix', async () => {
      const dataDir = await testbed.folder();
      await mkdir(join(dataDir, 'cluster'));
      await expect(testbed.start({ dataDir })).rejects.toMatchObject({
        name: 'EmbeddedPostgresError',
        message: expect.stringContaining('chown -R'),
      });
    });
  });
}

if (othersCanRunNode) {
  describe('if an ordinary user starts Postgres', () => {
    test('Postgres runs as that user in a private folder, and outlives a killed bot', async () => {
      const folder = await testbed.folder();
      await chown(folder, nobody.uid, nobody.gid);
      await chmod(folder, 0o700);
      const dataDir = join(folder, 'data');
      const first = await testbed.spawnStarter(dataDir, nobody);
      const pid = await lockFilePid(dataDir);
      expect((await stat(`/proc/${pid}`)).uid).toBe(nobody.uid);
      expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
      await query(first.connection, 'create table kept as select 1 as one');
      await first.kill();
      const second = await testbed.spawnStarter(dataDir, nobody);
      expect(second.adopted).toBe(true);
      expect(await query(second.connection, 'select one from kept')).toEqual([{ one: 1 }]);
      await second.stop();
    });

    test('a folder without write access gives an error with a fix', async () => {
      const dataDir = join(await testbed.folder(), 'data');
      expect(await testbed.startError(dataDir, nobody)).toEqual({
        name: 'EmbeddedPostgresError',
        message: expect.stringMatching(/cannot hold the data.*EACCES.*set DATA_DIR/),
      });
    });

    test("another account's data gives an error with a fix", async () => {
      const dataDir = await testbed.folder();
      await (await testbed.start({ dataDir })).stop();
      await chownAll(join(dataDir, 'cluster'), 12345);
      expect(await testbed.startError(dataDir, nobody)).toEqual({
        name: 'EmbeddedPostgresError',
        message: expect.stringMatching(/start the bot as its owner \(uid 12345\)/),
      });
    });

    test('a uid without a name gives an error that names it', async () => {
      const dataDir = await testbed.folder();
      await chown(dataDir, 12345, 12345);
      expect(await testbed.startError(dataDir, { uid: 12345, gid: 12345 })).toEqual({
        name: 'EmbeddedPostgresError',
        message: expect.stringMatching(/could not create its data.*user ID 12345/),
      });
    });
  });
}

async function chownAll(folder: string, uid: number): Promise<void> {
  await promisify(execFile)('chown', ['-R', `${uid}:${uid}`, folder]);
}
