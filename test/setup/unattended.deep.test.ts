import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { freePort } from '../../src/sandbox/free-port.ts';
import { openStore } from '../../src/store/index.ts';
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

test('without a terminal, setup makes a key only for a database known to be empty', async () => {
  const { env, botToken } = await prepareSetup(postgres);
  const input = `SLACK_BOT_TOKEN=${botToken}\nSLACK_APP_TOKEN=${appSecrets.appToken}\n`;
  const closed = `postgresql://x@127.0.0.1:${await freePort(0)}/x`;
  const { connectionString: used, connection } = await postgres.createDatabase();
  await (await openStore({ connection, secretKeys: [randomBytes(32)] })).close();
  for (const [DATABASE_URL, expected] of [
    [closed, /^ {2}- The database can't be used: .*ECONNREFUSED .*\. Start Postgres, or correct the host and port/],
    [used, /^ {2}- This database has data of Dropline already$/],
  ] as const) {
    const { code, printed } = await run(['setup'], { ...env, DATABASE_URL }, input);
    expect(code).toBe(1);
    expect(printed.split('\n').slice(0, 3)).toEqual([
      'Missing or wrong:',
      expect.stringMatching(expected),
      expect.stringContaining('SECRET_KEY must be set with DATABASE_URL: the key that its data is encrypted with.'),
    ]);
    expect(printed).not.toContain('openssl');
  }
});

test("secrets can't be passed as command-line options", async () => {
  const { code, printed } = await run(['setup', '--bot-token', 'xoxb-1']);
  expect(code).toBe(1);
  expect(printed).toContain("Unknown option '--bot-token'");
});
