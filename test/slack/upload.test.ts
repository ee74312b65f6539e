import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import {
  deleteUpload,
  findShare,
  type SlackUpload,
  sharedThread,
  shareUpload,
  uploadToSlack,
} from '../../src/slack/upload.ts';
import { failureOf } from '../helpers/exchange.ts';
import { expectEventually, setUpWorkspace, silent } from '../sandbox/slack/helper.ts';

async function setUpWithClient() {
  const setup = await setUpWorkspace();
  const options = { retryConfig: { retries: 0 }, rejectRateLimitedCalls: true, logger: silent };
  const client = new WebClient(setup.token, { slackApiUrl: setup.slack.apiUrl, ...options });
  const channel = setup.acme.channel('general');
  const messages = () => channel.messages.filter(({ fileIds }) => fileIds.length > 0);
  const location = { channel: channel.id };
  const upload = async (more: Partial<SlackUpload> & { comment?: string; threadTs?: string }) => {
    const { comment, threadTs, ...rest } = more;
    const open = () => Readable.from(['he', 'llo'], { objectMode: false });
    const name = rest.name ?? 'a.txt';
    const id = await uploadToSlack({ client, size: 5, open, ...rest, name });
    await shareUpload(client, { file: id, ...location, threadTs, name, comment });
    return id;
  };
  return { ...setup, client, location, messages, upload };
}

test('a file is streamed complete into the conversation, with an escaped comment', async () => {
  const { upload, bo } = await setUpWithClient();
  const pieces = Array.from({ length: 64 }, () => randomBytes(65_536));
  const whole = Buffer.concat(pieces);
  await upload({
    name: 'big.bin',
    size: whole.length,
    open: async () => Readable.from(pieces, { objectMode: false }),
    comment: '*From* <!channel> & co',
  });
  await bo.opens('#general');
  await bo.sees('*From* <!channel> & co');
  const { size, sha256 } = await bo.downloads('big.bin');
  expect({ size, sha256 }).toEqual({
    size: whole.length,
    sha256: createHash('sha256').update(whole).digest('hex'),
  });
});

test('a file is posted in the given thread', async () => {
  const { upload, client, messages, acme } = await setUpWithClient();
  const { ts = '' } = await client.chat.postMessage({ channel: acme.channel('general').id, text: 'Parent' });
  await upload({ threadTs: ts });
  await expectEventually(messages).toMatchObject([{ threadTs: ts }]);
});

test('a shared file is pending until its channel shows it, and gone once it is deleted', async () => {
  const { upload, client, location, slack, acme, anna } = await setUpWithClient();
  const delayed = slack.addFault({ method: 'share', kind: 'delay' });
  const id = await upload({});
  const find = (channel = location.channel) => findShare(client, id, { channel });
  expect(await find()).toEqual({ state: 'pending' });
  delayed.release();
  await expect.poll(() => find()).toEqual({ state: 'shown' });
  const other = acme.addChannel({ name: 'other', members: [anna, 'app'] });
  expect(await find(other.id)).toEqual({ state: 'pending' });
  slack.addFault({ method: 'files.info', kind: 'error', error: 'access_denied' });
  expect(await find()).toEqual({ state: 'pending' });
  slack.addFault({ method: 'files.info', kind: 'error', error: 'file_not_found' });
  expect(await find()).toEqual({ state: 'not-found' });
  await deleteUpload(client, id);
  expect(await find()).toEqual({ state: 'gone' });
  await deleteUpload(client, id);
});

test.each([
  ['shorter than declared', ['hel'], '3'],
  ['longer than declared', ['hello', '!'], 'more'],
])('if the source of an upload is %s, no message is posted', async (_, data, actual) => {
  const { upload, messages } = await setUpWithClient();
  const failure = await failureOf(upload({ open: () => Readable.from(data, { objectMode: false }) }));
  expect(failure.message).toBe(`The file had ${actual} instead of 5 bytes, so it wasn't delivered.`);
  expect(messages()).toEqual([]);
});

test('an upload fails with the error of its source or signal and posts no message', async () => {
  const { upload, messages } = await setUpWithClient();
  const source = new Readable({ read() {} });
  source.push('he');
  const open = () => {
    setTimeout(() => source.destroy(new Error('the source broke')), 30);
    return source;
  };
  expect((await failureOf(upload({ open }))).message).toBe('the source broke');
  const unread = new Readable({ read() {} });
  const ended = failureOf(upload({ open: () => unread, signal: AbortSignal.timeout(50) }));
  expect((await ended).name).toBe('TimeoutError');
  expect(unread.destroyed).toBe(true);
  expect(messages()).toEqual([]);
});

test('a share whose answer is lost or unclear is neither a failure nor confirmed', async () => {
  const { client, location, slack } = await setUpWithClient();
  const share = () => shareUpload(client, { file: 'F1', ...location, name: 'a.txt' });
  for (const kind of ['reset-after', 'cut', 'server-error', 'error'] as const) {
    slack.addFault({ method: 'files.completeUploadExternal', kind });
    expect(await share(), kind).toBe(false);
  }
  slack.addFault({ method: 'files.completeUploadExternal', kind: 'rate-limited' });
  await expect(share()).rejects.toThrow('rate');
});

test('the thread of a file is that of its last share in the channel', async () => {
  const { client, acme, bo, slack } = await setUpWithClient();
  const general = acme.channel('general');
  await bo.opens('#general');
  await bo.types('Parent');
  await bo.shares([{ name: 'a.txt', data: 'abc' }]);
  await bo.shares([{ name: 'b.txt', data: 'abc' }], { thread: 'Parent' });
  const [parent] = general.messages;
  const threads = () => Promise.all(acme.files.map(({ id }) => sharedThread(client, id, general.id)));
  expect(await threads()).toEqual([undefined, parent?.ts]);
  slack.addFault({ method: 'files.info', kind: 'error', error: 'access_denied', times: 2 });
  expect(await threads()).toEqual([undefined, undefined]);
});

test('if Slack refuses an upload, the error message says why', async () => {
  const { upload, slack, messages } = await setUpWithClient();
  const refusing = (method: string, error: string) => {
    slack.addFault({ method, kind: 'error', error });
    return failureOf(upload({}));
  };
  expect((await refusing('files.getUploadURLExternal', 'missing_scope')).message).toContain('install me again');
  expect((await refusing('files.completeUploadExternal', 'file_type_not_allowed')).message).toContain('this file type');
  expect((await refusing('files.completeUploadExternal', 'odd_reason')).message).toContain('(odd_reason)');
  // A later attempt can succeed only after a failure of Slack's own.
  for (const [status, code] of [
    [504, 'busy'],
    [403, 'file-failed'],
  ] as const) {
    slack.addFault({ method: 'upload', kind: 'server-error', status });
    expect(await failureOf(upload({}))).toMatchObject({ code, message: expect.stringContaining(`(${status})`) });
  }
  expect((await failureOf(upload({ size: 0 }))).message).toContain("Slack doesn't accept empty files");
  await expectEventually(messages).toEqual([]);
});
