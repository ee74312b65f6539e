import { createServer } from 'node:http';
import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { createFileSources } from '../../src/slack/files.ts';
import { serve } from '../helpers/serve.ts';

const plan = 'the plan';

interface FileOptions {
  name?: string;
  mimetype?: string;
  data?: string;
  /** The content type of the download, which then has no length. */
  type?: string;
  /** Sent instead of the data. */
  sent?: string;
  /** The first answers of files.info. */
  refusals?: object[];
}

/** A Slack with one file on this host. Records the tokens of requests that download it. */
async function slackWithFileAt(
  hostname: string,
  { name = 'plan.pdf', mimetype, data = plan, type, sent, refusals = [] }: FileOptions = {},
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
      // Chunked, so without a length.
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

test('a download of zero bytes fails as empty-file, not as a retryable error', async () => {
  const { open } = await slackWithFileAt('127.0.0.1', { sent: '' });
  await expect(open()).rejects.toMatchObject({
    code: 'empty-file',
    message: expect.stringContaining('Share it again'),
  });
});

test('a token is sent over plain HTTP only to this machine', async () => {
  const loopback = await slackWithFileAt('127.0.0.1');
  expect(String((await (await loopback.open()).toArray())[0])).toBe(plan);
  expect(loopback.tokens).toEqual(['Bearer xoxb-1']);
  // This address also reaches this machine, but it isn't a loopback address.
  const notLoopback = await slackWithFileAt('0.0.0.0');
  await expect(notLoopback.open()).rejects.toThrow("Its address isn't on Slack.");
  expect(notLoopback.tokens).toEqual([]);
});

const html = '<html><p>a page</p>';

test.each([
  ['an untyped page by its name', { name: 'index.html', mimetype: '', type: 'text/html' }],
  ['an untyped text by its name', { name: 'notes.txt', mimetype: '', type: 'text/plain' }],
  ['a page by its type', { name: 'index', mimetype: 'text/html', type: 'text/html' }],
])('a download without a length can be HTML as %s', async (_, file) => {
  const { open } = await slackWithFileAt('127.0.0.1', { ...file, data: html });
  expect(String((await (await open()).toArray())[0])).toBe(html);
});

test.each([
  ['text/html', ''],
  ['text/html', 'application/pdf'],
  ['application/pdf', ''],
  ['application/pdf', 'application/pdf'],
])('a download without a length that is HTML (%s) is refused for a PDF (%s)', async (type, mimetype) => {
  const { open } = await slackWithFileAt('127.0.0.1', { mimetype, type, data: html });
  await expect(open()).rejects.toThrow("I can't read it");
});

test("file info is cached until a fresh read is requested; errors aren't cached", async () => {
  const refusals = [
    { ok: false, error: 'file_not_found' },
    { ok: false, error: 'access_denied' },
  ];
  const { sources, infos, open } = await slackWithFileAt('127.0.0.1', { refusals });
  const look = (isFresh = false) => sources.inspect('T1', 'F1', { isFresh });
  expect(await look()).toBeUndefined();
  await expect(look()).rejects.toMatchObject({ code: 'invalid' });
  expect(await look()).toMatchObject({ name: 'plan.pdf', size: plan.length });
  await look();
  await (await open()).toArray();
  expect(infos).toHaveLength(3);
  await look(true);
  expect(infos).toHaveLength(4);
  await sources.inspect('T2', 'F1');
  expect(infos).toHaveLength(5);
});
