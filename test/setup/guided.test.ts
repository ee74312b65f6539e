import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { parseEnv, stripVTControlCharacters } from 'node:util';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { runGuided } from '../../src/setup/guided.ts';
import { createPrompts } from '../../src/setup/prompts.ts';
import { readTarget } from '../../src/setup/target.ts';
import { manifestFor } from '../../src/slack/manifest.ts';
import { appSecrets, startSlackApp } from '../helpers/slack-app.ts';

const enter = '\r';
const down = '\u001b[B';
const ctrlC = '\u0003';

afterEach(() => {
  process.exitCode = undefined;
});

/** Runs the guided setup on two streams instead of a terminal, and answers each question when it is shown. */
async function runWith(answers: (botToken: string) => [string, string][], preset: NodeJS.ProcessEnv = {}) {
  const { slack, botToken } = await startSlackApp(preset.PUBLIC_URL);
  const folder = await mkdtemp(join(tmpdir(), 'dropline-guided-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const env = { ENV_FILE: join(folder, 'env'), SLACK_API_URL: slack.apiUrl, BROWSER: 'none', ...preset };
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
  return { printed: all, slack, folder, botToken, unanswered: remaining.length };
}

test('the setup command writes correct answers to the env file', async () => {
  const { printed, folder, botToken, unanswered } = await runWith((token) => [
    ['How should Slack reach Dropline', enter],
    ['App configuration token', enter],
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
    ['App configuration token', enter],
    ['Bot token', ctrlC],
  ]);
  expect(printed).toContain('Cancelled. Nothing was written.');
  expect(process.exitCode).toBe(130);
  expect(await readdir(folder)).toEqual([]);
});

const { configToken, clientId, clientSecret, signingSecret } = appSecrets;

test('a configuration token creates the app, and is neither printed nor written', async () => {
  const PUBLIC_URL = 'https://drop.example.invalid';
  const { printed, slack, folder, unanswered } = await runWith(
    () => [
      ['How should Slack reach Dropline', `${down}${enter}`],
      ['How many Slack workspaces', `${down}${enter}`],
      ['App configuration token', `xoxe.xoxp-other${enter}`],
      ['App configuration token', `${configToken}${enter}`],
      ['Where should the data be', enter],
      ['Start Dropline now', `${down}${enter}`],
    ],
    { PUBLIC_URL },
  );
  expect(unanswered).toBe(0);
  expect(printed).toMatch(/Slack app: Slack refuses it \(invalid_auth\)\s+│?\s*Copy the Access Token/);
  expect(printed).toContain('Slack app: created (A0DROPLINE00)');
  expect(printed).toContain('Slack knows the client ID and secret');
  const created = slack.calls.filter(({ method }) => method === 'apps.manifest.create');
  expect(created.map(({ error }) => error)).toEqual(['invalid_auth', undefined]);
  const written = await readFile(join(folder, 'env'), 'utf8');
  expect(parseEnv(written)).toMatchObject({
    SLACK_CLIENT_ID: clientId,
    SLACK_CLIENT_SECRET: clientSecret,
    SLACK_SIGNING_SECRET: signingSecret,
  });
  for (const secret of [configToken, clientSecret, signingSecret]) expect(printed).not.toContain(secret);
  expect(written).not.toContain('xoxe');
});

test('the setup command prints the manifest beside the link, and alone on Windows', async () => {
  const { platform } = process;
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
  const manifest = JSON.stringify(manifestFor(undefined));
  for (const [name, hasLink] of [
    ['linux', true],
    ['win32', false],
  ] as const) {
    Object.defineProperty(process, 'platform', { value: name });
    const { printed } = await runWith(() => [
      ['How should Slack reach Dropline', enter],
      ['App configuration token', enter],
      ['Bot token', ctrlC],
    ]);
    expect(printed).toContain(manifest);
    expect(printed).toContain('Pick a workspace and paste this');
    expect(printed).toContain('approval of an admin');
    expect(printed.includes('https://api.slack.com/apps?new_app=1&manifest_json=')).toBe(hasLink);
  }
});
