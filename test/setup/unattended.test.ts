import { readdir, readFile, stat } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { runMain, usePrograms } from '../helpers/program.ts';
import { appSecrets } from '../helpers/slack-app.ts';
import { prepareSetup } from './unattended.ts';

const postgres = startTestPostgres();
const run = runMain(usePrograms());

test('the setup command works with variables and stdin; a refused token saves no file', async () => {
  const { env, botToken, folder, file } = await prepareSetup(postgres);
  const variables = { ...env, SLACK_APP_TOKEN: appSecrets.appToken };
  const refused = await run(['setup'], variables, 'SLACK_BOT_TOKEN=xoxb-unknown\n');
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.printed).toContain('✗ slack token: Slack refuses it (invalid_auth)');
  expect(await readdir(folder)).toEqual([]);

  const { code, printed } = await run(['setup'], variables, `SLACK_BOT_TOKEN=${botToken}\n`);
  expect({ code, printed }).toMatchObject({ code: 0 });
  expect(printed).toContain('npm start, then type /drop connect in Slack');
  expect(printed).not.toContain(botToken);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { SECRET_KEY = '', ...values } = parseEnv(await readFile(file, 'utf8'));
  expect(Buffer.from(SECRET_KEY, 'base64')).toHaveLength(32);
  const { ENV_FILE: _, ...written } = variables;
  expect(values).toEqual({ ...written, SLACK_BOT_TOKEN: botToken });
});
