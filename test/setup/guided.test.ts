import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { parseEnv, stripVTControlCharacters } from 'node:util';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { runGuided } from '../../src/setup/guided.ts';
import { createPrompts } from '../../src/setup/prompts.ts';
import { readTarget } from '../../src/setup/target.ts';
import { appSecrets, startSlackApp } from '../helpers/slack-app.ts';

const enter = '\r';
const down = '\u001b[B';
const ctrlC = '\u0003';

afterEach(() => {
  process.exitCode = undefined;
});

/** Runs the guided setup on two streams instead of a terminal, and answers each question when it is shown. */
async function runWith(answers: (botToken: string) => [string, string][]) {
  const { slack, botToken } = await startSlackApp(undefined);
  const folder = await mkdtemp(join(tmpdir(), 'dropline-guided-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const env = { ENV_FILE: join(folder, 'env'), SLACK_API_URL: slack.apiUrl, BROWSER: 'none' };
  const [input, output] = [new PassThrough(), new PassThrough()];
  let unread = '';
  const remaining = answers(botToken);
  output.on('data', (chunk) => {
    unread += stripVTControlCharacters(String(chunk));
    const [question, keys] = remaining[0] ?? ['', ''];
    const found = question === '' ? -1 : unread.search(new RegExp(`[◆▲] {2}${question}[^\n:]*\r?\n`));
    if (found < 0) return;
    remaining.shift();
    unread = unread.slice(found + question.length);
    setImmediate(() => input.write(keys));
  });
  let all = '';
  output.on('data', (chunk) => (all += stripVTControlCharacters(String(chunk))));
  await runGuided(createPrompts({ input, output }), readTarget(env), env);
  return { printed: all, folder, botToken, unanswered: remaining.length };
}

test('the setup command writes correct answers to the env file', async () => {
  const { printed, folder, botToken, unanswered } = await runWith((token) => [
    ['How should Slack reach Dropline', enter],
    ['Bot token', `${token}${enter}`],
    ['App-level token', `${appSecrets.appToken}${enter}`],
    ['Where should the data be', enter],
    ['Start Dropline now', `${down}${enter}`],
  ]);
  expect(unanswered).toBe(0);
  expect(printed).toContain('Bot token: @dropline in the workspace Acme');
  expect(printed).toContain('Scopes: all 8 that are needed');
  expect(printed).not.toContain(botToken);
  expect(parseEnv(await readFile(join(folder, 'env'), 'utf8'))).toMatchObject({
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: appSecrets.appToken,
  });
});

test('Ctrl-C at a question of the setup command writes no file', async () => {
  const { printed, folder } = await runWith(() => [
    ['How should Slack reach Dropline', enter],
    ['Bot token', ctrlC],
  ]);
  expect(printed).toContain('Cancelled. Nothing was written.');
  expect(process.exitCode).toBe(130);
  expect(await readdir(folder)).toEqual([]);
});
