import { createHash } from 'node:crypto';
import type { FilesInfoResponse, WebClient } from '@slack/web-api';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { clientFor, setUpWorkspace, type TestWorkspace } from './helper.ts';

type FileInfo = NonNullable<FilesInfoResponse['file']>;

async function setUpWithFiles() {
  const setup = await setUpWorkspace();
  return { ...setup, client: clientFor(setup.slack, setup.token) };
}

async function info(client: WebClient, file: string): Promise<FileInfo> {
  const { file: found } = await client.files.info({ file });
  if (!found) throw new Error('no file');
  return found;
}

async function download(url: string | undefined, token: string) {
  const { statusCode, headers, body } = await request(url ?? '', { headers: { authorization: `Bearer ${token}` } });
  return { statusCode, headers, text: await body.text() };
}

const fileId = ({ acme }: TestWorkspace, name: string) => acme.files.find((file) => file.name === name)?.id ?? '';

test('a message with files is one event that contains the files', async () => {
  const setup = await setUpWithFiles();
  await startBot(setup, (app) => app.event('message', async () => {}));
  await setup.anna.shares([{ name: 'a.txt', data: 'abc' }], { in: 'Dropline', text: 'Look' });
  await setup.slack.untilIdle();
  const messages = setup.slack.deliveries.filter(({ event }) => event === 'message');
  expect(messages.map(({ payload }) => payload.event)).toMatchObject([
    { subtype: 'file_share', channel_type: 'im', text: 'Look', files: [{ name: 'a.txt' }] },
  ]);
});

test.each([
  ['a wrong token', (setup: TestWorkspace) => `${setup.token}x`],
  ['a missing scope', (setup: TestWorkspace) => reinstall(setup, ['chat:write'])],
  ['the token of another workspace', installElsewhere],
])('a download with %s is redirected to a sign-in page', async (_, tokenOf) => {
  const setup = await setUpWithFiles();
  await setup.anna.shares([{ name: 'a.txt', data: 'abc' }], { in: '#general' });
  const { url_private_download: url } = await info(setup.client, fileId(setup, 'a.txt'));
  const { statusCode, headers } = await download(url, tokenOf(setup));
  expect([statusCode, headers.location]).toEqual([302, expect.stringContaining('?redir=%2Ffiles-pri%2F')]);
  const page = await fetch(String(headers.location));
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toMatch(/^<!doctype html>/);
});

function reinstall({ acme, anna }: TestWorkspace, scopes: string[]): string {
  acme.uninstall();
  return acme.install({ by: anna, scopes }).botToken;
}

function installElsewhere({ slack }: TestWorkspace): string {
  const other = slack.addWorkspace({ name: 'Other' });
  return other.install({ by: other.addPerson({ name: 'Olga', role: 'owner' }) }).botToken;
}

test('a file in a channel without the app is not found', async () => {
  const setup = await setUpWithFiles();
  setup.acme.addChannel({ name: 'apart', members: [setup.anna] });
  await setup.anna.shares([{ name: 'a.txt', data: 'abc' }], { in: '#apart' });
  const id = fileId(setup, 'a.txt');
  await expect(setup.client.files.info({ file: id })).rejects.toMatchObject({ data: { error: 'file_not_found' } });
  await setup.anna.types('/invite @dropline', { in: '#apart' });
  expect(await info(setup.client, id)).toMatchObject({ name: 'a.txt' });
});

test('external files have size 0, snippets their own size, deleted files no info', async () => {
  const setup = await setUpWithFiles();
  await setup.anna.shares(
    [
      { name: 'doc', externalUrl: 'https://drive.example/doc' },
      { name: 'code.txt', data: 'let x', snippet: true },
      { name: 'gone.txt', data: 'x' },
    ],
    { in: '#general' },
  );
  expect(await info(setup.client, fileId(setup, 'doc'))).toMatchObject({
    mode: 'external',
    is_external: true,
    size: 0,
    url_private: 'https://drive.example/doc',
  });
  expect(await info(setup.client, fileId(setup, 'code.txt'))).toMatchObject({ mode: 'snippet', size: 5 });
  await setup.anna.deletesFile('gone.txt');
  const gone = setup.client.files.info({ file: fileId(setup, 'gone.txt') });
  await expect(gone).rejects.toMatchObject({ data: { error: 'file_deleted' } });
  await setup.anna.sees('(this file was deleted)');
});

test('an edited snippet has an edit_timestamp; other files cannot be edited', async () => {
  const setup = await setUpWithFiles();
  await setup.anna.shares(
    [
      { name: 'notes.txt', data: 'one', snippet: true },
      { name: 'plan.pdf', data: 'the plan' },
    ],
    { in: '#general' },
  );
  const before = await info(setup.client, fileId(setup, 'notes.txt'));
  expect(before).not.toHaveProperty('edit_timestamp');
  setup.clock.skipped = 5_000;
  await setup.anna.editsSnippet('notes.txt', 'two');
  const after = await info(setup.client, fileId(setup, 'notes.txt'));
  expect(after).toEqual({ ...before, edit_timestamp: expect.any(Number), updated: expect.any(Number) });
  expect((await download(after.url_private_download, setup.token)).text).toBe('two');
  await expect(setup.anna.editsSnippet('plan.pdf', 'x')).rejects.toThrow('plan.pdf is not a snippet');
});

test('a file of another organisation is a stub until files.info is called', async () => {
  const setup = await setUpWithFiles();
  await startBot(setup, (app) => app.shortcut('send_message', async ({ ack }) => ack()));
  const sten = setup.acme.addPerson({ name: 'Sten', role: 'stranger' });
  setup.acme.addChannel({ name: 'partners', shared: true, members: [setup.anna, sten, 'app'] });
  await sten.shares([{ name: 'a.txt', data: 'abc' }], { in: '#partners', text: 'From outside' });
  await setup.anna.opens('#partners');
  await setup.anna.usesShortcut('Send securely', { on: 'From outside' });
  const { payload } = setup.slack.deliveries.find(({ kind }) => kind === 'message_action') ?? {};
  const id = fileId(setup, 'a.txt');
  expect(payload).toMatchObject({ message: { files: [{ id, mode: 'file_access', file_access: 'check_file_info' }] } });
  expect(await info(setup.client, id)).toMatchObject({ name: 'a.txt', size: 3 });
});

test('the app can neither read nor download a file that Slack denies it', async () => {
  const setup = await setUpWithFiles();
  await setup.anna.shares([{ name: 'a.txt', data: 'abc' }], { in: '#general' });
  const id = fileId(setup, 'a.txt');
  const { url_private_download: url } = await info(setup.client, id);
  Object.assign(setup.acme.files[0] ?? {}, { refusal: 'access_denied' });
  await expect(setup.client.files.info({ file: id })).rejects.toMatchObject({ data: { error: 'access_denied' } });
  expect((await download(url, setup.token)).headers['x-slack-meta']).toBe('?;acl_fail');
});

test('a canvas is a file with the mode quip', async () => {
  const setup = await setUpWithFiles();
  await setup.anna.shares([{ name: 'Notes', data: 'x', mode: 'quip' }], { in: '#general' });
  expect(await info(setup.client, fileId(setup, 'Notes'))).toMatchObject({ name: 'Notes', mode: 'quip' });
});

test('the shares of a file can appear late', async () => {
  const setup = await setUpWithFiles();
  setup.slack.behaviour.sharesLag = 1;
  await setup.anna.shares([{ name: 'a.txt', data: 'abc' }], { in: '#general' });
  const id = fileId(setup, 'a.txt');
  expect((await info(setup.client, id)).shares).toEqual({});
  const general = setup.acme.channel('general').id;
  expect(Object.keys((await info(setup.client, id)).shares?.public ?? {})).toEqual([general]);
});

test('the type of a file can be empty until the file is scanned', async () => {
  const setup = await setUpWithFiles();
  setup.slack.behaviour.scanLag = 1;
  await setup.anna.shares([{ name: 'report.xls', data: '<html>' }], { in: '#general' });
  const id = fileId(setup, 'report.xls');
  expect(await info(setup.client, id)).toMatchObject({ mimetype: '', filetype: '', size: 6 });
  const scanned = await info(setup.client, id);
  expect(scanned).toMatchObject({ mimetype: 'application/vnd.ms-excel', filetype: 'xls' });
  const { headers } = await download(scanned.url_private_download, setup.token);
  expect([headers['content-type'], headers['content-length']]).toEqual(['application/vnd.ms-excel', '6']);
});

test('a new file can lack its size and URLs in messages and in files.info', async () => {
  const setup = await setUpWithFiles();
  setup.slack.behaviour.processingLag = 1;
  await startBot(setup, (app) => app.event('message', async () => {}));
  await setup.anna.shares([{ name: 'photo.jpg', data: 'with EXIF', stripped: 'without' }], { in: 'Dropline' });
  await setup.slack.untilIdle();
  const id = fileId(setup, 'photo.jpg');
  const { payload } = setup.slack.deliveries.find(({ event }) => event === 'message') ?? {};
  const [embedded] = (payload as { event: { files: FileInfo[] } }).event.files;
  for (const file of [embedded, await info(setup.client, id)]) {
    expect(file).toMatchObject({ name: 'photo.jpg', mode: 'hosted' });
    for (const field of ['size', 'url_private', 'url_private_download']) expect(file).not.toHaveProperty(field);
  }
  const { size, url_private_download: url, updated } = await info(setup.client, id);
  const { headers, text } = await download(url, setup.token);
  expect([size, headers['content-length'], text]).toEqual([9, '7', 'without']);
  await setup.anna.renamesFile('photo.jpg', 'The photo');
  const renamed = await info(setup.client, id);
  expect(renamed).toMatchObject({ name: 'photo.jpg', title: 'The photo' });
  expect(renamed.updated).not.toBe(updated);
});

test('a download can redirect to a host of Slack, or to one that refuses tokens', async () => {
  const setup = await setUpWithFiles();
  await setup.anna.shares([{ name: 'a.txt', data: 'abc' }], { in: '#general' });
  const { url_private: url = '' } = await info(setup.client, fileId(setup, 'a.txt'));
  setup.slack.behaviour.fileHost = 'files-origin';
  const origin = new URL(String((await download(url, setup.token)).headers.location), url).href;
  expect((await download(origin, setup.token)).text).toBe('abc');
  expect((await download(origin, 'x')).headers.location).toContain('?redir=');
  setup.slack.behaviour.fileHost = 'edge';
  const edge = String((await download(url, setup.token)).headers.location);
  expect(new URL(edge).host).not.toBe(new URL(url).host);
  expect(await (await request(edge)).body.text()).toBe('abc');
  expect((await download(edge, setup.token)).statusCode).toBe(400);
  expect((await request(edge.replace(/-\w+\/a.txt$/, '-x/a.txt'))).statusCode).toBe(403);
});

test('a forwarded message has its files in its attachments', async () => {
  const setup = await setUpWithFiles();
  await startBot(setup, (app) => {
    app.event('message', async () => {});
    app.event('file_shared', async () => {});
  });
  await setup.anna.shares([{ name: 'a.txt', data: 'abc' }], { in: '#general', text: 'Look' });
  await setup.slack.untilIdle();
  for (const forwardShares of [false, true]) {
    setup.slack.behaviour.forwardShares = forwardShares;
    setup.slack.deliveries.length = 0;
    await setup.anna.opens('#general');
    await setup.anna.forwards(['Look'], { to: 'Dropline', text: 'Here' });
    await setup.slack.untilIdle();
    const events = setup.slack.deliveries.map(({ payload }) => payload.event as Record<string, unknown>);
    const message = events.find(({ type }) => type === 'message');
    expect(message).toMatchObject({ text: 'Here', attachments: [{ text: 'Look', files: [{ name: 'a.txt' }] }] });
    expect(message).not.toHaveProperty('files');
    expect(events.some(({ type }) => type === 'file_shared')).toBe(forwardShares);
  }
});

test('a file of 32 MB is read from its source chunk by chunk and arrives complete', async () => {
  const setup = await setUpWithFiles();
  const piece = Buffer.alloc(65_536, 'x');
  const pieces = 512;
  let inFlight = 0;
  let maxInFlight = 0;
  const source = {
    name: 'large.bin',
    size: piece.length * pieces,
    async *open() {
      for (let index = 0; index < pieces; index++) {
        maxInFlight = Math.max(maxInFlight, ++inFlight);
        yield piece;
        inFlight--;
      }
    },
  };
  await setup.anna.shares([source], { in: '#general' });
  const { url_private_download: url = '' } = await info(setup.client, fileId(setup, 'large.bin'));
  const { body } = await request(url, { headers: { authorization: `Bearer ${setup.token}` } });
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of body) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  expect(bytes).toBe(source.size);
  expect(maxInFlight).toBe(1);
  const downloaded = await setup.anna.downloads('large.bin');
  expect(downloaded).toMatchObject({ size: source.size, sha256: hash.digest('hex') });
});
