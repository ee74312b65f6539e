import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { WebClient } from '@slack/web-api';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { clientFor, expectEventually, setUpWorkspace, silent, type TestWorkspace } from './helper.ts';

async function setUpWithClient(options: Parameters<typeof setUpWorkspace>[0] = {}) {
  const setup = await setUpWorkspace(options);
  return { ...setup, client: clientFor(setup.slack, setup.token), channel: setup.acme.channel('general').id };
}

/** Requests an upload URL and uploads a file. The test completes the upload. */
async function upload({ client }: { client: WebClient }, filename: string, data: string, length = data.length) {
  const { upload_url: url = '', file_id: id = '' } = await client.files.getUploadURLExternal({ filename, length });
  const { statusCode, body } = await request(url, { method: 'POST', body: data });
  return { id, url, statusCode, text: await body.text() };
}

const refused = (error: string) => ({ data: { error } });

test('a multipart upload is refused, because the bot sends plain bytes', async () => {
  const setup = await setUpWithClient();
  const { upload_url: url = '' } = await setup.client.files.getUploadURLExternal({ filename: 'a.txt', length: 3 });
  const body = new FormData();
  body.append('file', new Blob(['abc']), 'a.txt');
  const refusal = await fetch(url, { method: 'POST', body });
  expect({ status: refusal.status, text: await refusal.text() }).toEqual({
    status: 415,
    text: 'multipart uploads are not simulated',
  });
  expect((await fetch(url, { method: 'POST', body: Buffer.from('abc') })).status).toBe(200);
});

test('a file is posted in its thread, or in the channel if the parent is deleted', async () => {
  const setup = await setUpWithClient();
  const { ts = '' } = await setup.client.chat.postMessage({ channel: setup.channel, text: 'Parent' });
  const { id } = await upload(setup, 'a.txt', 'abc');
  await setup.client.files.completeUploadExternal({ files: [{ id }], channel_id: setup.channel, thread_ts: ts });
  const last = () => setup.acme.channel('general').messages.at(-1);
  await expectEventually(last).toMatchObject({ threadTs: ts, fileIds: [id] });
  await setup.client.chat.delete({ channel: setup.channel, ts });
  const again = await upload(setup, 'b.txt', 'abc');
  await setup.client.files.completeUploadExternal({
    files: [{ id: again.id }],
    channel_id: setup.channel,
    thread_ts: ts,
  });
  // Slack posts it in the channel itself without an error, as it does with messages.
  await expectEventually(last).toMatchObject({ fileIds: [again.id] });
  expect(last()).not.toHaveProperty('threadTs');
  const { file } = await setup.client.files.info({ file: again.id });
  expect(file?.shares?.public?.[setup.channel]?.[0]).not.toHaveProperty('thread_ts');
});

test('an upload is answered before its file has a type and shares', async () => {
  const setup = await setUpWithClient();
  const delayedShare = setup.slack.addFault({ method: 'share', kind: 'delay' });
  const { id } = await upload(setup, 'a.pdf', 'abc');
  const { client, channel, acme } = setup;
  const done = await client.files.completeUploadExternal({ files: [{ id }], channel_id: channel });
  const unshared = { id, size: 3, mimetype: '', filetype: '', shares: {}, channels: [] };
  expect(done.files).toMatchObject([unshared]);
  expect((await client.files.info({ file: id })).file).toMatchObject(unshared);
  expect(acme.channel('general').messages).toEqual([]);
  delayedShare.release();
  await expectEventually(() => acme.channel('general').messages).toMatchObject([{ fileIds: [id] }]);
  const [message] = acme.channel('general').messages;
  const shares = { public: { [channel]: [{ ts: message?.ts }] } };
  expect((await client.files.info({ file: id })).file).toMatchObject({ mimetype: 'application/pdf', shares });
});

test('a file can stay unshared although Slack answered ok', async () => {
  const setup = await setUpWithClient();
  const { client, channel, acme } = setup;
  const dropped = setup.slack.addFault({ method: 'share', kind: 'hang' });
  const first = await upload(setup, 'a.txt', 'abc');
  await client.files.completeUploadExternal({ files: [{ id: first.id }], channel_id: channel });
  await dropped.triggered;
  setup.slack.behaviour.shareMs = Number.POSITIVE_INFINITY;
  const second = await upload(setup, 'b.txt', 'abc');
  await client.files.completeUploadExternal({ files: [{ id: second.id }], channel_id: channel });
  setup.slack.behaviour.shareMs = 0;
  const third = await upload(setup, 'c.txt', 'abc');
  await client.files.completeUploadExternal({ files: [{ id: third.id }], channel_id: channel });
  await expectEventually(() => acme.channel('general').messages).toMatchObject([{ fileIds: [third.id] }]);
});

test('a file for a direct message needs the id of the conversation', async () => {
  const setup = await setUpWithClient();
  const { channel = '' } = await setup.client.chat.postMessage({ channel: setup.anna.id, text: 'Hello' });
  const first = await upload(setup, 'a.txt', 'abc');
  await setup.client.files.completeUploadExternal({ files: [{ id: first.id }], channel_id: channel });
  const second = await upload(setup, 'b.txt', 'abc');
  const byUser = { files: [{ id: second.id }] as [{ id: string }], channel_id: setup.anna.id };
  await expect(setup.client.files.completeUploadExternal(byUser)).rejects.toMatchObject(refused('channel_not_found'));
  await setup.anna.opens('Dropline');
  await setup.anna.sees('(file: a.txt)');
});

test.each([
  ['fewer', 'abc', 4],
  ['more', 'abc', 2],
])('an upload of %s bytes than announced is refused and never stored', async (_, data, length) => {
  const setup = await setUpWithClient();
  const { id, statusCode, text } = await upload(setup, 'a.txt', data, length);
  expect([statusCode, text]).toEqual([400, expect.stringContaining(`the announced ${length}`)]);
  const complete = setup.client.files.completeUploadExternal({ files: [{ id }], channel_id: setup.channel });
  await expect(complete).rejects.toMatchObject(refused('file_not_found'));
  expect(setup.acme.files).toEqual([]);
});

test('a file upload can be completed once, and its URL accepts one upload', async () => {
  const setup = await setUpWithClient();
  const { id, url } = await upload(setup, 'a.txt', 'abc');
  expect((await request(url, { method: 'POST', body: 'abc' })).statusCode).toBe(404);
  await setup.client.files.completeUploadExternal({ files: [{ id }], channel_id: setup.channel });
  const again = setup.client.files.completeUploadExternal({ files: [{ id }], channel_id: setup.channel });
  await expect(again).rejects.toMatchObject(refused('file_not_found'));
});

test('a second call can share an upload again, if a test sets that', async () => {
  const setup = await setUpWithClient();
  setup.slack.behaviour.secondShare = 'shared';
  const { id } = await upload(setup, 'a.txt', 'abc');
  const complete = () => setup.client.files.completeUploadExternal({ files: [{ id }], channel_id: setup.channel });
  await complete();
  await complete();
  const shares = [{ fileIds: [id] }, { fileIds: [id] }];
  await expectEventually(() => setup.acme.channel('general').messages).toMatchObject(shares);
});

test('files.info can miss a new upload at first, if a test sets that', async () => {
  const setup = await setUpWithClient();
  setup.slack.behaviour.uploadLag = 1;
  const { id } = await upload(setup, 'a.txt', 'abc');
  await setup.client.files.completeUploadExternal({ files: [{ id }], channel_id: setup.channel });
  await expect(setup.client.files.info({ file: id })).rejects.toMatchObject(refused('file_not_found'));
  expect((await setup.client.files.info({ file: id })).file?.id).toBe(id);
});

test('markdown blocks above a file cause an internal error', async () => {
  const setup = await setUpWithClient();
  const { id } = await upload(setup, 'a.txt', 'abc');
  const blocks = [{ type: 'markdown', text: '**Bold**' }] as const;
  const call = setup.client.files.completeUploadExternal({
    files: [{ id }],
    channel_id: setup.channel,
    blocks: [...blocks],
  });
  await expect(call).rejects.toMatchObject(refused('internal_error'));
});

test.each([
  ['a channel it is not in', 'not_in_channel', ({ acme }: TestWorkspace) => acme.addChannel({ name: 'apart' }).id],
  ['an archived channel', 'is_archived', addArchivedChannel],
  [
    'a private channel it is not in',
    'channel_not_found',
    ({ acme }: TestWorkspace) => acme.addChannel({ name: 'p', kind: 'private' }).id,
  ],
  ['an unknown channel', 'channel_not_found', () => 'C0000000000'],
])('the app cannot send a file to %s', async (_, error, channelOf) => {
  const setup = await setUpWithClient();
  const { id } = await upload(setup, 'a.txt', 'abc');
  const call = setup.client.files.completeUploadExternal({ files: [{ id }], channel_id: channelOf(setup) });
  await expect(call).rejects.toMatchObject(refused(error));
});

function addArchivedChannel({ acme }: TestWorkspace): string {
  return acme.addChannel({ name: 'old', archived: true, members: ['app'] }).id;
}

test('getUploadURLExternal refuses an empty file and a missing scope', async () => {
  const setup = await setUpWithClient();
  const empty = setup.client.files.getUploadURLExternal({ filename: 'a', length: 0 });
  await expect(empty).rejects.toMatchObject(refused('missing_argument'));
  setup.acme.uninstall();
  const { botToken } = setup.acme.install({ by: setup.anna, scopes: ['files:read', 'chat:write'] });
  const withoutScope = clientFor(setup.slack, botToken).files.getUploadURLExternal({ filename: 'a', length: 3 });
  await expect(withoutScope).rejects.toMatchObject({
    data: { error: 'missing_scope', needed: 'files:write', provided: 'files:read,chat:write' },
  });
});

test('the app gets events for its own files and can delete only those', async () => {
  const setup = await setUpWithClient();
  const { id } = await upload(setup, 'a.txt', 'abc');
  await setup.client.files.completeUploadExternal({ files: [{ id }], channel_id: setup.channel });
  await expectEventually(() => setup.slack.deliveries).not.toEqual([]);
  const { botUserId } = setup.acme.installation ?? {};
  expect(setup.slack.deliveries[0]).toMatchObject({ event: 'file_shared', payload: { event: { user_id: botUserId } } });
  await setup.anna.shares([{ name: 'hers.txt', data: 'x' }], { in: '#general' });
  const hers = setup.acme.files.find(({ name }) => name === 'hers.txt')?.id ?? '';
  await expect(setup.client.files.delete({ file: hers })).rejects.toMatchObject(refused('cant_delete_file'));
  await setup.client.files.delete({ file: id });
  await setup.anna.opens('#general');
  await setup.anna.sees('(this file was deleted)');
});

test('uploads are stored in filesDir, which close() removes', async () => {
  const filesDir = join(tmpdir(), `slack-files-${process.pid}`);
  const setup = await setUpWithClient({ filesDir });
  await upload(setup, 'a.txt', 'abc');
  expect(await readdir(filesDir)).toHaveLength(1);
  await setup.slack.close();
  await expect(readdir(filesDir)).rejects.toThrow('ENOENT');
});

test('an aborted upload cannot be completed', async () => {
  const setup = await setUpWithClient();
  const client = new WebClient(setup.token, { slackApiUrl: setup.slack.apiUrl, logger: silent });
  const { upload_url: url = '', file_id: id = '' } = await client.files.getUploadURLExternal({
    filename: 'a',
    length: 1e6,
  });
  const abort = new AbortController();
  async function* abortingBody() {
    yield Buffer.alloc(1000);
    abort.abort();
    yield Buffer.alloc(1000);
  }
  const headers = { 'content-length': '1000000' };
  const sent = request(url, { method: 'POST', headers, body: Readable.from(abortingBody()), signal: abort.signal });
  await expect(sent).rejects.toThrow();
  const complete = client.files.completeUploadExternal({ files: [{ id }], channel_id: setup.channel });
  await expect(complete).rejects.toMatchObject(refused('file_not_found'));
});
