import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { installedBinaries } from './embedded-program.ts';
import { createTestbed, isRoot, query } from './embedded-testbed.ts';

const testbed = createTestbed();

/** Copies the package without its links, as npm installs it with scripts disabled. */
async function copyUnlinkedPackage(folder: string): Promise<string> {
  const copy = join(folder, 'package');
  const execute = promisify(execFile);
  await execute('cp', ['-RP', await installedBinaries(), copy]);
  await execute('find', [copy, '-type', 'l', '-delete']);
  return copy;
}

const entryOf = (copy: string) => join(copy, 'dist', 'index.js');
const copiesIn = async (dataDir: string) => (await readdir(dataDir)).filter((name) => name.startsWith('binaries-'));

test('if the binaries do not run, there is an error and no copy is left', async () => {
  const folder = await testbed.folder();
  const copy = await copyUnlinkedPackage(folder);
  for (const name of ['postgres', 'initdb']) await writeFile(join(copy, 'native', 'bin', name), '#!/no/such/loader\n');
  const dataDir = join(folder, 'data');
  await expect(testbed.start({ dataDir, resolve: () => entryOf(copy) })).rejects.toMatchObject({
    name: 'EmbeddedPostgresError',
    message: expect.stringMatching(/does not run here.*DATABASE_URL/),
  });
  expect(await copiesIn(dataDir)).toEqual([]);
});

test("links that the install script didn't create are created at the start", async () => {
  const folder = await testbed.folder();
  const copy = await copyUnlinkedPackage(folder);
  const dataDir = join(folder, 'data');
  const server = await testbed.start({ dataDir, resolve: () => entryOf(copy) });
  expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await copiesIn(dataDir)).toEqual([]);
});

test('data from another Postgres major version is rejected', async () => {
  const dataDir = await testbed.folder();
  await (await testbed.start({ dataDir })).stop();
  await writeFile(join(dataDir, 'cluster', 'PG_VERSION'), '9\n');
  await expect(testbed.start({ dataDir })).rejects.toMatchObject({
    name: 'EmbeddedPostgresError',
    message: expect.stringContaining('was created by Postgres 9 and this is Postgres'),
  });
});

describe("if the package can't be used in place", () => {
  /**
   * If the test runs as root, the account of Postgres can't enter the folder above the package. If the test doesn't run
   * as root, no link can be created in the package.
   */
  async function copyUnusablePackage(folder: string): Promise<string> {
    const closed = join(folder, 'closed');
    await mkdir(closed);
    const copy = await copyUnlinkedPackage(closed);
    await chmod(isRoot ? closed : join(copy, 'native', 'lib'), isRoot ? 0o700 : 0o500);
    return copy;
  }

  test('one copy of the binaries is made and reused, not writable by other accounts', async () => {
    const folder = await testbed.folder();
    const copy = await copyUnusablePackage(folder);
    const dataDir = join(folder, 'data');
    const first = await testbed.start({ dataDir, resolve: () => entryOf(copy) });
    const [name = ''] = await copiesIn(dataDir);
    const copyStat = await stat(join(dataDir, name));
    expect(copyStat.uid).toBe(process.getuid?.());
    expect(copyStat.mode & 0o777).toBe(0o755);
    await first.stop();
    await testbed.start({ dataDir, resolve: () => entryOf(copy) });
    expect(await copiesIn(dataDir)).toEqual([name]);
    expect((await stat(join(dataDir, name))).ino).toBe(copyStat.ino);
  });

  test('a copy that other accounts can write is replaced; other versions are deleted', async () => {
    const folder = await testbed.folder();
    const copy = await copyUnusablePackage(folder);
    const dataDir = join(folder, 'data');
    const { version } = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8'));
    const unsafeCopy = join(dataDir, `binaries-${version}`, 'native', 'bin');
    await mkdir(unsafeCopy, { recursive: true });
    await mkdir(join(dataDir, 'binaries-0.0.1'));
    await writeFile(join(unsafeCopy, 'postgres'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    await writeFile(join(unsafeCopy, 'initdb'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    await chmod(join(dataDir, `binaries-${version}`), 0o777);
    await chmod(dataDir, 0o755);
    const server = await testbed.start({ dataDir, resolve: () => entryOf(copy) });
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await copiesIn(dataDir)).toEqual([`binaries-${version}`]);
    await server.stop();
    await rm(dataDir, { recursive: true });
  });
});
