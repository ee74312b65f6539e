import { createServer } from 'node:http';
import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { createServiceAgent } from '../../src/exchange/index.ts';
import { canHaveToken, createFileSources } from '../../src/slack/files.ts';
import { serve } from '../helpers/serve.ts';

const plan = 'the plan';

interface FileOptions {
  name?: string;
  mimetype?: string;
  data?: string;
  /** The content type of the download, which then has no length. */
  type?: string;
  /** Sent instead of the data: without a length, or with its own. */
  sent?: string;
  stripped?: string;
  /** The first answers of files.info. */
  refusals?: object[];
  /** Fields that files.info omits in its first answers, one list per answer. */
  late?: string[][];
  /** Where the download redirects to. */
  location?: string;
  /** Whether the connection breaks before the answer to a download. */
  isBroken?: boolean;
}

const omit = (value: object, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));

/** Starts a Slack with one file on this host. Records the tokens of the download requests. */
async function startSlackWithFile(
  hostname: string,
  {
    name = 'plan.pdf',
    mimetype,
    data = plan,
    type,
    sent,
    stripped,
    refusals = [],
    late = [],
    location,
    isBroken,
  }: FileOptions = {},
) {
  const tokens: (string | undefined)[] = [];
  const infos: object[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/api/files.info') {
      const file = { id: 'F1', name, mimetype, mode: 'hosted', size: data.length, url_private: address.href };
      const omitted = late.shift() ?? [];
      const answer = refusals.shift() ?? { ok: true, file: omit(file, omitted) };
      infos.push(answer);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
      return;
    }
    tokens.push(request.headers.authorization);
    if (isBroken) request.destroy();
    else if (location !== undefined) response.writeHead(302, { location }).end();
    else if (sent !== undefined) {
      // Flushing the headers first makes the answer chunked, so it has no length.
      response.flushHeaders();
      response.end(sent);
    } else if (type === undefined) response.end(stripped ?? data);
    else response.setHeader('content-type', type).write(data, () => response.end());
  });
  const url = await serve(server);
  const address = new URL('/plan.pdf', url);
  address.hostname = hostname;
  const client = new WebClient('xoxb-1', { slackApiUrl: `${url}/api/` });
  const sources = createFileSources({
    botOf: async () => ({ token: 'xoxb-1', botId: 'B1', botUserId: 'U1', scopes: [], installedBy: undefined }),
    clientOf: async () => client,
    apiUrl: `${url}/api/`,
    publicHosts: createServiceAgent().calls,
    processingPausesMs: [1, 1],
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

test('a token goes only to Slack over HTTPS, and to the configured Slack', () => {
  const simulated = 'http://127.0.0.1:80/api/';
  const own = 'https://slack.example.com/api/';
  const withToken: [string, string | undefined][] = [
    ['https://slack.com/f', undefined],
    ['https://files.slack.com/f', undefined],
    ['https://files-origin.slack.com/f', own],
    ['https://files.slack.example.com/f', own],
    ['http://127.0.0.1/f', simulated],
  ];
  const withoutToken: [string, string | undefined][] = [
    ['http://files.slack.com/f', undefined],
    ['https://files.slack.com:8443/f', undefined],
    ['https://evilslack.com/f', undefined],
    ['https://slack.com.example.com/f', undefined],
    ['https://user@example.com/slack.com', undefined],
    ['http://127.0.0.1/f', undefined],
    ['http://127.0.0.1/f', own],
    ['http://slack.example.com/f', own],
    ['http://localhost/f', simulated],
    ['https://127.0.0.1:8080/f', simulated],
    ['slack.com', undefined],
  ];
  const allowed = [...withToken, ...withoutToken].filter(([address, apiUrl]) => canHaveToken(address, apiUrl));
  expect(allowed).toEqual(withToken);
});

test('a redirect reaches neither private addresses nor plain HTTP, and no second host', async () => {
  let connections = 0;
  const inside = createServer((_, response) => void response.writeHead(302, { location: 'https://slack.com/' }).end());
  inside.on('connection', () => connections++);
  const { port } = new URL(await serve(inside));
  const hosts = [
    `https://127.0.0.1:${port}`,
    `https://localhost:${port}`,
    'https://[::1]',
    'http://0.0.0.0',
    'ftp://a',
  ];
  for (const location of hosts) {
    const { open, tokens } = await startSlackWithFile('127.0.0.1', { location: `${location}/f` });
    await expect(open()).rejects.toThrow(/^Slack stores it at .*, which I can't reach\.$/);
    expect(tokens).toHaveLength(1);
  }
  expect(connections).toBe(0);
  const nowhere = await startSlackWithFile('127.0.0.1', { location: 'https://' });
  await expect(nowhere.open()).rejects.toMatchObject({ code: 'file-failed', message: "Its address isn't on Slack." });
  // On this machine, where Slack is simulated, another host is reached. It can't redirect.
  const { open } = await startSlackWithFile('127.0.0.1', { location: `http://localhost:${port}/f` });
  await expect(open()).rejects.toThrow('Slack redirected too often.');
  expect(connections).toBe(1);
});

test('a file without size, URLs or mode is looked up again, and not cached', async () => {
  for (const late of [['size'], ['url_private'], ['mode'], ['size', 'url_private', 'mode']]) {
    const { sources, infos } = await startSlackWithFile('127.0.0.1', { late: [late, late] });
    expect(await sources.inspect('T1', 'F1')).toMatchObject({ name: 'plan.pdf', size: plan.length });
    expect(infos).toHaveLength(3);
    const stuck = await startSlackWithFile('127.0.0.1', { late: [late, late, late] });
    const message = 'Slack is still processing “plan.pdf”. Try again in a minute.';
    await expect(stuck.sources.inspect('T1', 'F1')).rejects.toMatchObject({ code: 'busy', message });
    expect(await stuck.sources.inspect('T1', 'F1')).toMatchObject({ size: plan.length });
    const known = { name: 'plan.pdf', size: 1, stamp: '', isSnippet: false, isShared: true };
    const later = await startSlackWithFile('127.0.0.1', { late: [late] });
    expect(await later.sources.inspect('T1', 'F1', { known })).toBe(known);
  }
});

test('an image has the stated length of its download; without one, it is refused', async () => {
  const image = { name: 'photo.jpg', mimetype: 'image/jpeg' };
  const { sources } = await startSlackWithFile('127.0.0.1', { ...image, type: 'image/jpeg' });
  const message = "“photo.jpg”: Slack doesn't state its size. Try again later.";
  await expect(sources.inspect('T1', 'F1')).rejects.toMatchObject({ code: 'invalid', message });
  for (const sent of ['a', 'more than the plan']) {
    const stripped = await startSlackWithFile('127.0.0.1', { ...image, stripped: sent });
    expect(await stripped.sources.inspect('T1', 'F1')).toMatchObject({ size: sent.length });
    expect(String((await (await stripped.open()).toArray())[0])).toBe(sent);
    // Until Slack knows its type, and for any other type, the sizes must be equal.
    for (const mimetype of ['', 'application/pdf']) {
      const other = await startSlackWithFile('127.0.0.1', { ...image, mimetype, stripped: sent });
      await expect(other.open()).rejects.toThrow("The file's size differs from what Slack reports.");
    }
  }
  const page = await startSlackWithFile('127.0.0.1', { ...image, stripped: html });
  await expect(page.sources.inspect('T1', 'F1')).rejects.toThrow("I can't read it");
  // The file is looked up again, and a form shows its other files.
  const broken = await startSlackWithFile('127.0.0.1', { ...image, isBroken: true });
  const text = "“photo.jpg” can't be read. Try again later.";
  await expect(broken.sources.inspect('T1', 'F1')).rejects.toMatchObject({ code: 'busy', message: text });
  expect(broken.tokens).toHaveLength(3);
});
