import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { deleteUpload, findShare, type SlackUpload, shareUpload, uploadToSlack } from '../../src/slack/upload.ts';
import { failureOf } from '../helpers/exchange.ts';
import { expectEventually, setUpWorkspace, silent } from '../sandbox/slack/helper.ts';

async function setUpWithClient() {
  const setup = await setUpWorkspace();
  const retryConfig = { retries: 2, minTimeout: 1, maxTimeout: 1 };
  const client = new WebClient(setup.token, { slackApiUrl: setup.slack.apiUrl, retryConfig, logger: silent });
  const channel = setup.acme.channel('general');
  const messages = () => channel.messages.filter(({ fileIds }) => fileIds.length > 0);
  const location = { channel: channel.id };
  const upload = async (more: Partial<SlackUpload> & { comment?: string; threadTs?: string }) => {
    const { comment, threadTs, ...rest } = more;
    const open = () => Readable.from(['he', 'llo'], { objectMode: false });
    const name = rest.name ?? 'a.txt';
    const id = await uploadToSlack({ client, size: 5, open, ...rest, name });
    await shareUpload(client, id, { ...location, threadTs }, { name, comment });
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

test('a lost answer to the last upload call causes neither a duplicate nor a failure', async () => {
  const { upload, messages, slack } = await setUpWithClient();
  slack.addFault({ method: 'files.completeUploadExternal', kind: 'reset-after' });
  await upload({});
  await expectEventually(messages).toHaveLength(1);
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
  slack.addFault({ method: 'upload', kind: 'server-error', status: 503 });
  expect((await failureOf(upload({}))).message).toBe('Slack rejected the file (503).');
  expect((await failureOf(upload({ size: 0 }))).message).toContain("Slack doesn't accept empty files");
  await expectEventually(messages).toEqual([]);
});
