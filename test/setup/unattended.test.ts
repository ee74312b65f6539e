import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { runMain, usePrograms } from '../helpers/program.ts';
import { appSecrets, startSlackApp } from '../helpers/slack-app.ts';

const postgres = startTestPostgres();
const run = runMain(usePrograms());

async function prepare() {
  const { slack, botToken } = await startSlackApp(undefined);
  const { connectionString } = await postgres.createDatabase({ isEmpty: true });
  const folder = await mkdtemp(join(tmpdir(), 'dropline-setup-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'env');
  const env = { ENV_FILE: file, SLACK_API_URL: slack.apiUrl, DATABASE_URL: connectionString };
  return { env, botToken, folder, file };
}

test('without a terminal it asks nothing, says what is missing and exits with 1', async () => {
  const { env, folder } = await prepare();
  const { code, printed } = await run(['setup'], { ...env, SLACK_APP_TOKEN: appSecrets.clientSecret });
  expect(code).toBe(1);
  expect(printed).toContain('Missing or wrong:\n');
  expect(printed).toContain('SLACK_APP_TOKEN: This looks like a client secret or signing secret.');
  expect(printed).toContain('SLACK_BOT_TOKEN: "OAuth & Permissions": click "Install to Workspace"');
  expect(printed).not.toContain(appSecrets.clientSecret);
  // Nothing that a prompt would show.
  expect(printed).not.toMatch(/[◆◇┌]/);
  expect(await readdir(folder)).toEqual([]);
});

test('setup needs only env and stdin, and writes nothing if the token is refused', async () => {
  const { env, botToken, folder, file } = await prepare();
  const given = { ...env, SLACK_APP_TOKEN: appSecrets.appToken };
  const refused = await run(['setup'], given, 'SLACK_BOT_TOKEN=xoxb-unknown\n');
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.printed).toContain('✗ slack token: Slack refuses it (invalid_auth)');
  expect(await readdir(folder)).toEqual([]);

  const { code, printed } = await run(['setup'], given, `SLACK_BOT_TOKEN=${botToken}\n`);
  expect({ code, printed }).toMatchObject({ code: 0 });
  expect(printed).toContain('npm start, then type /drop connect in Slack');
  expect(printed).not.toContain(botToken);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { SECRET_KEY = '', ...values } = parseEnv(await readFile(file, 'utf8'));
  expect(Buffer.from(SECRET_KEY, 'base64')).toHaveLength(32);
  const { ENV_FILE: _, ...written } = given;
  expect(values).toEqual({ ...written, SLACK_BOT_TOKEN: botToken });
});

test('an existing file is neither changed nor replaced without asking', async () => {
  const { env, botToken, file } = await prepare();
  const text = `SLACK_BOT_TOKEN=${botToken}\n`;
  await writeFile(file, text, { mode: 0o600 });
  const { code, printed } = await run(['setup'], env, `SLACK_APP_TOKEN=${appSecrets.appToken}\n`);
  expect(code).toBe(1);
  expect(printed).toMatch(/exists and lacks .*SLACK_APP_TOKEN.*\. Add them, or run npm run setup in a terminal\./);
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('secrets are not options', async () => {
  const { code, printed } = await run(['setup', '--bot-token', 'xoxb-1']);
  expect(code).toBe(1);
  expect(printed).toContain("Unknown option '--bot-token'");
});
