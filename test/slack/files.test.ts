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

/** Starts a Slack with one file on this host. Records the tokens of the download requests. */
async function startSlackWithFile(
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
      // Flushing the headers first makes the answer chunked, so it has no length.
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

test('a download of zero bytes fails as empty-file and asks to share the file again', async () => {
  const { open } = await startSlackWithFile('127.0.0.1', { sent: '' });
  await expect(open()).rejects.toMatchObject({
    code: 'empty-file',
    message: expect.stringContaining('Share it again'),
  });
});

test('a token is sent over plain HTTP only to a loopback address', async () => {
  const loopback = await startSlackWithFile('127.0.0.1');
  expect(String((await (await loopback.open()).toArray())[0])).toBe(plan);
  expect(loopback.tokens).toEqual(['Bearer xoxb-1']);
  // This address also reaches this machine, but it isn't a loopback address.
  const notLoopback = await startSlackWithFile('0.0.0.0');
  await expect(notLoopback.open()).rejects.toThrow("Its address isn't on Slack.");
  expect(notLoopback.tokens).toEqual([]);
});

const html = '<html><p>a page</p>';

test.each([
  ['no type and the name index.html', { name: 'index.html', mimetype: '', type: 'text/html' }],
  ['no type and the name notes.txt', { name: 'notes.txt', mimetype: '', type: 'text/plain' }],
  ['the type text/html', { name: 'index', mimetype: 'text/html', type: 'text/html' }],
])('HTML without a length is accepted for a file with %s', async (_, file) => {
  const { open } = await startSlackWithFile('127.0.0.1', { ...file, data: html });
  expect(String((await (await open()).toArray())[0])).toBe(html);
});

test.each([
  ['text/html', ''],
  ['text/html', 'application/pdf'],
  ['application/pdf', ''],
  ['application/pdf', 'application/pdf'],
])('HTML without a length, sent as %s, is refused for a PDF (%s)', async (type, mimetype) => {
  const { open } = await startSlackWithFile('127.0.0.1', { mimetype, type, data: html });
  await expect(open()).rejects.toThrow("I can't read it");
});

test("file info is cached until a fresh read is requested; errors aren't cached", async () => {
  const refusals = [
    { ok: false, error: 'file_not_found' },
    { ok: false, error: 'access_denied' },
  ];
  const { sources, infos, open } = await startSlackWithFile('127.0.0.1', { refusals });
  const inspect = (isFresh = false) => sources.inspect('T1', 'F1', { isFresh });
  expect(await inspect()).toBeUndefined();
  await expect(inspect()).rejects.toMatchObject({ code: 'invalid' });
  expect(await inspect()).toMatchObject({ name: 'plan.pdf', size: plan.length });
  await inspect();
  await (await open()).toArray();
  expect(infos).toHaveLength(3);
  await inspect(true);
  expect(infos).toHaveLength(4);
  await sources.inspect('T2', 'F1');
  expect(infos).toHaveLength(5);
});
