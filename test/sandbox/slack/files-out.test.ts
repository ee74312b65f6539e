import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { WebClient } from '@slack/web-api';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { clientFor, eventually, type Stage, section, silent, startStage } from './helper.ts';

async function stageWithClient(options: Parameters<typeof startStage>[0] = {}) {
  const stage = await startStage(options);
  return { ...stage, client: clientFor(stage.slack, stage.token), channel: stage.acme.channel('general').id };
}

/** Announces and uploads a file; the test completes it. */
async function upload({ client }: { client: WebClient }, filename: string, data: string, length = data.length) {
  const { upload_url: url = '', file_id: id = '' } = await client.files.getUploadURLExternal({ filename, length });
  const { statusCode, body } = await request(url, { method: 'POST', body: data });
  return { id, url, statusCode, text: await body.text() };
}

const refused = (error: string) => ({ data: { error } });

test('a file uploaded in three calls is posted in the channel, complete', async () => {
  const stage = await stageWithClient();
  const { id, statusCode } = await upload(stage, 'report.pdf', 'the report');
  expect(statusCode).toBe(200);
  const done = await stage.client.files.completeUploadExternal({
    files: [{ id, title: 'The report' }],
    channel_id: stage.channel,
    blocks: [section('As requested')],
  });
  expect(done.files).toMatchObject([{ id, title: 'The report', size: 10 }]);
  await stage.bo.opens('#general');
  await stage.bo.sees('As requested (file: The report)');
  const file = await stage.bo.downloads('The report');
  expect(file).toMatchObject({ name: 'report.pdf', type: 'application/pdf', size: 10 });
  expect((await file.read()).toString()).toBe('the report');
});

test('a multipart upload is refused: the bot sends the plain bytes', async () => {
  const stage = await stageWithClient();
  const { upload_url: url = '' } = await stage.client.files.getUploadURLExternal({ filename: 'a.txt', length: 3 });
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
  const stage = await stageWithClient();
  const { ts = '' } = await stage.client.chat.postMessage({ channel: stage.channel, text: 'Parent' });
  const { id } = await upload(stage, 'a.txt', 'abc');
  await stage.client.files.completeUploadExternal({ files: [{ id }], channel_id: stage.channel, thread_ts: ts });
  const last = () => stage.acme.channel('general').messages.at(-1);
  await eventually(last).toMatchObject({ threadTs: ts, fileIds: [id] });
  await stage.client.chat.delete({ channel: stage.channel, ts });
  const again = await upload(stage, 'b.txt', 'abc');
  await stage.client.files.completeUploadExternal({
    files: [{ id: again.id }],
    channel_id: stage.channel,
    thread_ts: ts,
  });
  // Like a message: posted in the channel itself, without an error.
  await eventually(last).toMatchObject({ fileIds: [again.id] });
  expect(last()).not.toHaveProperty('threadTs');
  const { file } = await stage.client.files.info({ file: again.id });
  expect(file?.shares?.public?.[stage.channel]?.[0]).not.toHaveProperty('thread_ts');
});

test('an upload is answered before its file has a type and shares', async () => {
  const stage = await stageWithClient();
  const held = stage.slack.addFault({ method: 'share', kind: 'delay' });
  const { id } = await upload(stage, 'a.pdf', 'abc');
  const { client, channel, acme } = stage;
  const done = await client.files.completeUploadExternal({ files: [{ id }], channel_id: channel });
  const unshared = { id, size: 3, mimetype: '', filetype: '', shares: {}, channels: [] };
  expect(done.files).toMatchObject([unshared]);
  expect((await client.files.info({ file: id })).file).toMatchObject(unshared);
  expect(acme.channel('general').messages).toEqual([]);
  held.release();
  await eventually(() => acme.channel('general').messages).toMatchObject([{ fileIds: [id] }]);
  const [message] = acme.channel('general').messages;
  const shares = { public: { [channel]: [{ ts: message?.ts }] } };
  expect((await client.files.info({ file: id })).file).toMatchObject({ mimetype: 'application/pdf', shares });
});

test('a file can stay unshared although Slack answered ok', async () => {
  const stage = await stageWithClient();
  const { client, channel, acme } = stage;
  const dropped = stage.slack.addFault({ method: 'share', kind: 'hang' });
  const first = await upload(stage, 'a.txt', 'abc');
  await client.files.completeUploadExternal({ files: [{ id: first.id }], channel_id: channel });
  await dropped.triggered;
  stage.slack.behaviour.shareMs = Number.POSITIVE_INFINITY;
  const second = await upload(stage, 'b.txt', 'abc');
  await client.files.completeUploadExternal({ files: [{ id: second.id }], channel_id: channel });
  stage.slack.behaviour.shareMs = 0;
  const third = await upload(stage, 'c.txt', 'abc');
  await client.files.completeUploadExternal({ files: [{ id: third.id }], channel_id: channel });
  await eventually(() => acme.channel('general').messages).toMatchObject([{ fileIds: [third.id] }]);
});

test('files for a direct message need its conversation id', async () => {
  const stage = await stageWithClient();
  const { channel = '' } = await stage.client.chat.postMessage({ channel: stage.anna.id, text: 'Hello' });
  const first = await upload(stage, 'a.txt', 'abc');
  await stage.client.files.completeUploadExternal({ files: [{ id: first.id }], channel_id: channel });
  const second = await upload(stage, 'b.txt', 'abc');
  const byUser = { files: [{ id: second.id }] as [{ id: string }], channel_id: stage.anna.id };
  await expect(stage.client.files.completeUploadExternal(byUser)).rejects.toMatchObject(refused('channel_not_found'));
  await stage.anna.opens('Dropline');
  await stage.anna.sees('(file: a.txt)');
});

test.each([
  ['fewer', 'abc', 4],
  ['more', 'abc', 2],
])('an upload of %s bytes than announced is refused and never stored', async (_, data, length) => {
  const stage = await stageWithClient();
  const { id, statusCode, text } = await upload(stage, 'a.txt', data, length);
  expect([statusCode, text]).toEqual([400, expect.stringContaining(`the announced ${length}`)]);
  const complete = stage.client.files.completeUploadExternal({ files: [{ id }], channel_id: stage.channel });
  await expect(complete).rejects.toMatchObject(refused('file_not_found'));
  expect(stage.acme.files).toEqual([]);
});

test('a file can be completed once, and its URL accepts one upload', async () => {
  const stage = await stageWithClient();
  const { id, url } = await upload(stage, 'a.txt', 'abc');
  expect((await request(url, { method: 'POST', body: 'abc' })).statusCode).toBe(404);
  await stage.client.files.completeUploadExternal({ files: [{ id }], channel_id: stage.channel });
  const again = stage.client.files.completeUploadExternal({ files: [{ id }], channel_id: stage.channel });
  await expect(again).rejects.toMatchObject(refused('file_not_found'));
});

test.each([
  ['a channel it is not in', 'not_in_channel', ({ acme }: Stage) => acme.addChannel({ name: 'apart' }).id],
  ['an archived channel', 'is_archived', archived],
  [
    'a private channel it is not in',
    'channel_not_found',
    ({ acme }: Stage) => acme.addChannel({ name: 'p', kind: 'private' }).id,
  ],
  ['an unknown channel', 'channel_not_found', () => 'C0000000000'],
])('the app cannot send a file to %s', async (_, error, channelOf) => {
  const stage = await stageWithClient();
  const { id } = await upload(stage, 'a.txt', 'abc');
  const call = stage.client.files.completeUploadExternal({ files: [{ id }], channel_id: channelOf(stage) });
  await expect(call).rejects.toMatchObject(refused(error));
});

function archived({ acme }: Stage): string {
  return acme.addChannel({ name: 'old', archived: true, members: ['app'] }).id;
}

test('an empty file and a missing scope are refused by the first call', async () => {
  const stage = await stageWithClient();
  const empty = stage.client.files.getUploadURLExternal({ filename: 'a', length: 0 });
  await expect(empty).rejects.toMatchObject(refused('missing_argument'));
  stage.acme.uninstall();
  const { botToken } = stage.acme.install({ by: stage.anna, scopes: ['files:read', 'chat:write'] });
  const withoutScope = clientFor(stage.slack, botToken).files.getUploadURLExternal({ filename: 'a', length: 3 });
  await expect(withoutScope).rejects.toMatchObject({
    data: { error: 'missing_scope', needed: 'files:write', provided: 'files:read,chat:write' },
  });
});

test('the app gets events for its own files and can delete only those', async () => {
  const stage = await stageWithClient();
  const { id } = await upload(stage, 'a.txt', 'abc');
  await stage.client.files.completeUploadExternal({ files: [{ id }], channel_id: stage.channel });
  await eventually(() => stage.slack.deliveries).not.toEqual([]);
  const { botUserId } = stage.acme.installation ?? {};
  expect(stage.slack.deliveries[0]).toMatchObject({ event: 'file_shared', payload: { event: { user_id: botUserId } } });
  await stage.anna.shares([{ name: 'hers.txt', data: 'x' }], { in: '#general' });
  const hers = stage.acme.files.find(({ name }) => name === 'hers.txt')?.id ?? '';
  await expect(stage.client.files.delete({ file: hers })).rejects.toMatchObject(refused('cant_delete_file'));
  await stage.client.files.delete({ file: id });
  await stage.anna.opens('#general');
  await stage.anna.sees('(this file was deleted)');
});

test('uploads are stored in filesDir, which is removed on close', async () => {
  const filesDir = join(tmpdir(), `slack-files-${process.pid}`);
  const stage = await stageWithClient({ filesDir });
  await upload(stage, 'a.txt', 'abc');
  expect(await readdir(filesDir)).toHaveLength(1);
  await stage.slack.close();
  await expect(readdir(filesDir)).rejects.toThrow('ENOENT');
});

test('an aborted upload leaves no file', async () => {
  const stage = await stageWithClient();
  const client = new WebClient(stage.token, { slackApiUrl: stage.slack.apiUrl, logger: silent });
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
  const complete = client.files.completeUploadExternal({ files: [{ id }], channel_id: stage.channel });
  await expect(complete).rejects.toMatchObject(refused('file_not_found'));
});
