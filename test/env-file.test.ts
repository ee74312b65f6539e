import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readConfig, readEnvironment } from '../src/config.ts';
import { envFilePath } from '../src/lib/env-file.ts';
import vitestConfig from '../vitest.config.ts';

async function makeFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dropline-env-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'env'), text);
  return join(folder, 'env');
}

test('environment variables override ENV_FILE, even if they are empty', async () => {
  const ENV_FILE = await makeFile('PORT=1000\nHOST=10.0.0.1\nPUBLIC_URL=https://d.example # ours\n');
  const env = readEnvironment({ ENV_FILE, PORT: '2000', HOST: '' });
  expect(env).toMatchObject({ PORT: '2000', HOST: '', PUBLIC_URL: 'https://d.example' });
  const { port, host } = readConfig('all', env, false);
  expect({ port, host }).toEqual({ port: 2000, host: '0.0.0.0' });
});

test('ENV_FILE defaults to .env; none reads no file; a missing file is an error', () => {
  // Next to package.json, here of the compiled project.
  expect(envFilePath({})).toBe(join(inject('programs'), '.env'));
  expect(readEnvironment({ ENV_FILE: 'none', PORT: '1' })).toEqual({ ENV_FILE: 'none', PORT: '1' });
  expect(() => readEnvironment({ ENV_FILE: '/nowhere/env' })).toThrow('ENV_FILE: /nowhere/env cannot be read');
});

test('tests and benchmarks never read .env', () => {
  // Compiled programs look for .env in their own folder, which has none.
  expect(existsSync(join(inject('programs'), '.env'))).toBe(false);
  expect(vitestConfig).toMatchObject({ envDir: false });
  const readers = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('env-file.test.ts'))
    .filter((path) => /readEnvironment|loadEnvFile|env-file\.ts/.test(readText(path)));
  // The fuzz test sets ENV_FILE, and imports.test.ts only names the module. Neither reads .env.
  expect(readers.sort()).toEqual(['fuzz/fuzz.deep.test.ts', 'imports.test.ts']);
});

const readText = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');
