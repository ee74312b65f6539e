import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOrCreateSecretKey } from '../src/store/secret-key.ts';
import { makeDataDir, readiness, slackEnv, startBot, terminate } from './helpers/bot-process.ts';
import { usePrograms } from './helpers/program.ts';

const programs = usePrograms();
const start = (role: string, env: NodeJS.ProcessEnv) => startBot(programs, role, { ...slackEnv, ...env });

test('the role "all" needs no DATABASE_URL or SECRET_KEY, gets ready and stops cleanly', async () => {
  const DATA_DIR = await makeDataDir();
  const bot = await start('all', { DATA_DIR });
  expect((await fetch(`${bot.url}/healthz`)).status).toBe(200);
  expect(await readiness(bot.url)).toEqual({ status: 200, database: true, worker: true });
  expect((await stat(join(DATA_DIR, 'secret.key'))).mode & 0o777).toBe(0o600);
  expect(await terminate(bot)).toEqual({ code: 0, signal: null });
  expect(bot.printed()).toContain('"stopped"');
  await expect(readFile(join(DATA_DIR, 'cluster', 'postmaster.pid'))).rejects.toThrow('ENOENT');
});

test('concurrent calls of readOrCreateSecretKey in one folder return the same key', async () => {
  const dataDir = await makeDataDir();
  const keys = await Promise.all(Array.from({ length: 20 }, () => readOrCreateSecretKey(dataDir)));
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(['secret.key']);
});
