import { createServer } from 'node:http';
import { load } from 'cheerio';
import { expect, test } from 'vitest';
import { frontPage } from '../../src/features/account/install/page.ts';
import { sendPage } from '../../src/features/common/page.ts';
import { setUpApp } from '../helpers/app.ts';
import { secrets } from '../helpers/bot.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { serve } from '../helpers/serve.ts';
import { startInstall } from './install.ts';

const postgres = startTestPostgres();

async function open(url: string) {
  const answer = await fetch(url);
  const page = load(await answer.text());
  return { status: answer.status, text: page('main').text(), links: page('a').toArray(), headers: answer.headers };
}

test('the front page shows where people get help', async () => {
  for (const [support, href] of [
    ['help@example.com', 'mailto:help@example.com'],
    ['https://help.example/?a="b"&c', 'https://help.example/?a="b"&c'],
  ] as const) {
    const server = createServer((_, response) =>
      sendPage(response, 200, frontPage({ canInstall: false, isReady: true, support })),
    );
    const { text, links } = await open(await serve(server));
    expect(text).toContain(`Help: ${support}`);
    expect(links.map(({ attribs }) => attribs.href)).toEqual(['/privacy', href]);
  }
});

test('while the database is unreachable, the front page says Dropline is unavailable', async () => {
  const { url, database } = await setUpApp(postgres, { connected: false, isSeparate: true });
  await database.disconnect();
  expect((await open(url)).text).toContain('temporarily unavailable');
  await database.reconnect();
});

test('the front page of a single-workspace deployment offers no installation', async () => {
  const { url } = await setUpApp(postgres, { connected: false, socketMode: true });
  const front = await open(url);
  expect(front.text).toContain('serves one Slack workspace');
  expect(front.links.map(({ attribs }) => attribs.href)).toEqual(['/privacy']);
  const install = await open(`${url}/slack/install`);
  expect(install).toMatchObject({ status: 404, text: expect.stringContaining('Nothing to install here') });
});

test('a wrong client secret tells the operator to correct SLACK_CLIENT_SECRET', async () => {
  const oauth = { clientId: secrets.clientId, clientSecret: 'wrong' };
  const { url } = await setUpApp(postgres, { connected: false, config: { oauth } });
  expect(await (await (await startInstall(url))()).text()).toContain('correct SLACK_CLIENT_SECRET');
});

test("if Slack isn't responding, the page of a failed installation says so", async () => {
  const { url, slack } = await setUpApp(postgres, { connected: false });
  slack.addFault({ method: 'oauth.v2.access', kind: 'reset-before', times: 9 });
  expect(await (await (await startInstall(url))()).text()).toContain('Slack isn&#39;t responding.');
});
