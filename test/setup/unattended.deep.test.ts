import { readdir, readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { runMain, usePrograms } from '../helpers/program.ts';
import { appSecrets } from '../helpers/slack-app.ts';
import { prepareSetup } from './unattended.ts';

const postgres = startTestPostgres();
const run = runMain(usePrograms());

test('without a terminal, the setup command lists missing and wrong values and fails', async () => {
  const { env, folder } = await prepareSetup(postgres);
  const { code, printed } = await run(['setup'], { ...env, SLACK_APP_TOKEN: appSecrets.clientSecret });
  expect(code).toBe(1);
  expect(printed).toContain('Missing or wrong:\n');
  expect(printed).toContain('SLACK_APP_TOKEN: This looks like a client secret or signing secret.');
  expect(printed).toContain('SLACK_BOT_TOKEN: "OAuth & Permissions": click "Install to Workspace"');
  expect(printed).not.toContain(appSecrets.clientSecret);
  // No prompt was shown.
  expect(printed).not.toMatch(/[◆◇┌]/);
  expect(await readdir(folder)).toEqual([]);
});

test('without a terminal, the setup command never changes an existing env file', async () => {
  const { env, botToken, file } = await prepareSetup(postgres);
  const text = `SLACK_BOT_TOKEN=${botToken}\n`;
  await writeFile(file, text, { mode: 0o600 });
  const { code, printed } = await run(['setup'], env, `SLACK_APP_TOKEN=${appSecrets.appToken}\n`);
  expect(code).toBe(1);
  expect(printed).toMatch(/exists and lacks .*SLACK_APP_TOKEN.*\. Add them, or run npm run setup in a terminal\./);
  expect(await readFile(file, 'utf8')).toBe(text);
});

test("secrets can't be passed as command-line options", async () => {
  const { code, printed } = await run(['setup', '--bot-token', 'xoxb-1']);
  expect(code).toBe(1);
  expect(printed).toContain("Unknown option '--bot-token'");
});
