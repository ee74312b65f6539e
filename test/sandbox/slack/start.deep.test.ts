import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import { usePrograms } from '../../helpers/program.ts';
import { expectEventually, manifest, silent } from './helper.ts';

const programs = usePrograms();

test("the Slack sandbox runs standalone and prints the bot's environment variables", async () => {
  const path = join(tmpdir(), `slack-manifest-${process.pid}.json`);
  await writeFile(path, JSON.stringify(manifest));
  onTestFinished(() => rm(path));
  const slack = programs.run('src/sandbox/slack/main.ts', ['--port', '0', '--manifest', path]);
  await expectEventually(() => slack.printed()).toContain('Press Ctrl-C to stop');
  const printed = (name: string) => new RegExp(`${name} +(\\S+)`).exec(slack.printed())?.[1] ?? '';
  const client = new WebClient(printed('SLACK_BOT_TOKEN'), { slackApiUrl: printed('SLACK_API_URL'), logger: silent });
  expect(await client.auth.test()).toMatchObject({ team: 'Acme' });
  expect(await (await fetch(printed('People:'))).json()).toMatchObject([
    { name: 'Anna' },
    { name: 'Bo' },
    { name: 'Gus' },
    { name: 'Sten' },
  ]);
  slack.child.kill('SIGINT');
  expect(await slack.ended).toEqual({ code: 0, signal: null });
});

test('the Slack sandbox reports a missing manifest in one line', async () => {
  const slack = programs.run('src/sandbox/slack/main.ts', ['--port', '0', '--manifest', '/nowhere.json']);
  expect(await slack.ended).toMatchObject({ code: 1 });
  expect(slack.printed()).toMatch(/^The manifest \/nowhere\.json cannot be read: .*\n$/);
});

test('--help lists the options of the Slack sandbox and starts no server', async () => {
  const { ended, printed } = programs.run('src/sandbox/slack/main.ts', ['--help']);
  expect(await ended).toMatchObject({ code: 0 });
  expect([...printed().matchAll(/^ {2}(--[\w-]+)/gm)].map(([, name]) => name)).toEqual([
    '--port',
    '--bot',
    '--manifest',
    '--no-rate-limits',
    '--help',
  ]);
  expect(printed()).not.toContain('SLACK_BOT_TOKEN');
});
