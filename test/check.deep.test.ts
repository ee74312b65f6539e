import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDataDir, slackEnv, startBot, terminate } from './helpers/bot-process.ts';
import { runMain, usePrograms } from './helpers/program.ts';

const programs = usePrograms();
const run = runMain(programs);

test('the check command reads the embedded database of a running or stopped bot', async () => {
  const DATA_DIR = await makeDataDir();
  const bot = await startBot(programs, 'all', { ...slackEnv, DATA_DIR });
  const check = async () => {
    const { printed } = await run(['check', '--json'], {
      ...slackEnv,
      ENV_FILE: 'none',
      DATA_DIR,
      SLACK_API_URL: 'http://127.0.0.1:9/api',
    });
    const checks: { name: string; status: string; message: string }[] = JSON.parse(printed).checks;
    return checks.filter(({ name }) => /^(database|key|disk)/.test(name)).map(({ status }) => status);
  };
  expect(await check()).toEqual(Array(6).fill('ok'));
  expect(await terminate(bot)).toEqual({ code: 0, signal: null });
  expect(await check()).toEqual(Array(6).fill('ok'));
  // The check leaves no Postgres running.
  await expect(readFile(join(DATA_DIR, 'cluster', 'postmaster.pid'))).rejects.toThrow('ENOENT');
});

test('with missing or wrong variables, the check command exits with 1, hiding secrets', async () => {
  const { code, printed } = await run(['check'], { ENV_FILE: 'none', SLACK_APP_TOKEN: 'xoxb-wrong-secret' });
  expect(code).toBe(1);
  expect(printed).toContain('✗ variables: SLACK_APP_TOKEN must begin with xapp-\n  → npm run setup asks for it.\n');
  expect(printed).toContain('✗ variables: SLACK_BOT_TOKEN must be set');
  expect(printed).not.toContain('wrong-secret');
});
