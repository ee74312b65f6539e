import { createServer } from 'node:http';
import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { createFileSources } from '../../src/slack/files.ts';
import { serve } from '../helpers/serve.ts';

const plan = 'the plan';

interface Told {
  name?: string;
  mimetype?: string;
  data?: string;
  /** What the file comes as. Without a length, which has to be given here. */
  type?: string;
  /** What comes instead of the data. */
  sent?: string;
  /** What files.info answers first. */
  refusals?: object[];
}

/** A Slack that has one file, which it says is at that host; with the tokens that were sent to get it. */
async function slackWithFileAt(
  hostname: string,
  { name = 'plan.pdf', mimetype, data = plan, type, sent, refusals = [] }: Told = {},
) {
  const tokens: (string | undefined)[] = [];
  const infos: object[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/api/files.info') {
      const file = { id: 'F1', name, mimetype, mode: 'hosted', size: data.length, url_private: address.href };
      const answer = refusals.shift() ?? { ok: true, file };
      infos.push(answer);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
      return;
    }
    tokens.push(request.headers.authorization);
    if (sent !== undefined) {
      // In chunks, so without a length.
      response.flushHeaders();
      response.end(sent);
    } else if (type === undefined) response.end(data);
    else response.setHeader('content-type', type).write(data, () => response.end());
  });
  const url = await serve(server);
  const address = new URL('/plan.pdf', url);
  address.hostname = hostname;
  const client = new WebClient('xoxb-1', { slackApiUrl: `${url}/api/` });
  const sources = createFileSources({
    botOf: async () => ({ token: 'xoxb-1', botId: 'B1', botUserId: 'U1', scopes: [], installedBy: undefined }),
    clientOf: async () => client,
    fileHosts: [address.host],
  });
  return { tokens, infos, sources, open: () => sources.open('T1', 'F1', new AbortController().signal) };
}

test('a file that Slack sends without a byte is told from one that is worth another try', async () => {
  const { open } = await slackWithFileAt('127.0.0.1', { sent: '' });
  await expect(open()).rejects.toMatchObject({
    code: 'empty-file',
    message: expect.stringContaining('Share it again'),
  });
});

test('a token is sent over plain http only to this machine', async () => {
  const here = await slackWithFileAt('127.0.0.1');
  expect(String((await (await here.open()).toArray())[0])).toBe(plan);
  expect(here.tokens).toEqual(['Bearer xoxb-1']);
  // It is this machine, but the name doesn't say so.
  const elsewhere = await slackWithFileAt('0.0.0.0');
  await expect(elsewhere.open()).rejects.toThrow('Its address is not one of Slack.');
  expect(elsewhere.tokens).toEqual([]);
});

const html = '<html><p>a page</p>';

test.each([
  ['an untyped page by its name', { name: 'index.html', mimetype: '', type: 'text/html' }],
  ['an untyped text by its name', { name: 'notes.txt', mimetype: '', type: 'text/plain' }],
  ['a page by its type', { name: 'index', mimetype: 'text/html', type: 'text/html' }],
])('without a length, HTML is taken for %s', async (_, told) => {
  const { open } = await slackWithFileAt('127.0.0.1', { ...told, data: html });
  expect(String((await (await open()).toArray())[0])).toBe(html);
});

test.each([
  ['text/html', ''],
  ['text/html', 'application/pdf'],
  ['application/pdf', ''],
  ['application/pdf', 'application/pdf'],
])('without a length, HTML as %s for a PDF (%s) is refused', async (type, mimetype) => {
  const { open } = await slackWithFileAt('127.0.0.1', { mimetype, type, data: html });
  await expect(open()).rejects.toThrow('I may not read it');
});

test('a look is remembered until a fresh one is asked for; a refusal is not', async () => {
  const refusals = [
    { ok: false, error: 'file_not_found' },
    { ok: false, error: 'access_denied' },
  ];
  const { sources, infos, open } = await slackWithFileAt('127.0.0.1', { refusals });
  const look = (isFresh = false) => sources.look('T1', 'F1', { isFresh });
  expect(await look()).toBeUndefined();
  await expect(look()).rejects.toMatchObject({ code: 'invalid' });
  expect(await look()).toMatchObject({ name: 'plan.pdf', size: plan.length });
  await look();
  await (await open()).toArray();
  expect(infos).toHaveLength(3);
  await look(true);
  expect(infos).toHaveLength(4);
  await sources.look('T2', 'F1');
  expect(infos).toHaveLength(5);
});
