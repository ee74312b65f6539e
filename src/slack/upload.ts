import { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import { request } from 'undici';
import { DroplineError } from '../errors.ts';
import { type Blocks, line } from './blocks.ts';
import { isDirect } from './channels.ts';
import type { Bot } from './installations.ts';
import type { MessageLocation } from './messages.ts';
import { platformErrorOf } from './platform-errors.ts';

export interface SlackUpload {
  client: WebClient;
  name: string;
  /** The exact size in bytes, which Slack requires before the upload. */
  size: number;
  open(): Readable | Promise<Readable>;
  signal?: AbortSignal | undefined;
}

/** Where to show a file. */
export interface UploadTarget {
  /** The conversation's id. For a direct message, the one that chat.postMessage returned, not the person's. */
  channel: string;
  threadTs?: string | undefined;
}

/** How long Slack can take to answer after the last byte. */
const answerTimeoutMs = 120_000;

/**
 * Streams a file to Slack and resolves with its id. Slack gets the length first and accepts no partial file. The file
 * isn't visible before `shareUpload`. Errors of the source are rethrown unchanged.
 */
export async function uploadToSlack(upload: SlackUpload): Promise<string> {
  const { client, name, size } = upload;
  if (size === 0) throw new DroplineError('empty-file', `“${name}” is empty. Slack doesn't accept empty files.`);
  const response = await client.files.getUploadURLExternal({ filename: name, length: size }).catch(throwRefusal);
  const { upload_url: url = '', file_id: id = '' } = response;
  await send(url, upload);
  return id;
}

async function send(url: string, { size, open, signal }: SlackUpload): Promise<void> {
  const source = await open();
  source.on('error', () => {}); // an error is thrown where the source is read, and must not end the process here
  try {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      // The URL is itself a secret and needs no token.
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
      body: Readable.from(exactBytes(size, source), { objectMode: false }),
      signal: signal ?? null,
      headersTimeout: answerTimeoutMs,
      bodyTimeout: answerTimeoutMs,
    });
    await body.dump();
    if (statusCode !== 200) throw new DroplineError('file-failed', `Slack rejected the file (${statusCode}).`);
  } finally {
    source.destroy();
  }
}

/** Rejects if the source has more or fewer bytes than `size`. */
export async function* exactBytes(size: number, source: Readable): AsyncGenerator<Buffer> {
  const wrongSize = (received: string) =>
    new DroplineError('file-failed', `The file had ${received} instead of ${size} bytes, so it wasn't delivered.`);
  let bytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > size) throw wrongSize('more');
    yield chunk;
  }
  if (bytes < size) throw wrongSize(String(bytes));
}

/**
 * Shares an upload in Slack. Slack answers before the file is visible, because it scans the file first: use `findShare`
 * to find out when it is visible. A second call for the same file doesn't share it twice.
 *
 * @param comment shown above the file, literally
 */
export async function shareUpload(
  client: WebClient,
  id: string,
  { channel, threadTs }: UploadTarget,
  { name, comment }: { name: string; comment?: string | undefined },
): Promise<void> {
  const location = threadTs === undefined ? { channel_id: channel } : { channel_id: channel, thread_ts: threadTs };
  // Not as initial_comment, in which Slack would parse markup.
  const blocks: { blocks?: Blocks } = comment === undefined ? {} : { blocks: [line(comment)] };
  try {
    await client.files.completeUploadExternal({ files: [{ id, title: name }], ...location, ...blocks });
  } catch (error) {
    // If the first call succeeded and its answer was lost, Slack refuses a second call with this code.
    if (platformErrorOf(error) === 'file_not_found' && (await exists(client, id))) return;
    throwRefusal(error);
  }
}

function exists(client: WebClient, id: string): Promise<boolean> {
  return client.files.info({ file: id }).then(
    ({ file }) => file !== undefined,
    () => false,
  );
}

/**
 * `pending`: Slack doesn't show the file yet. `misplaced`: the parent message was deleted, and Slack shows the file
 * outside the thread, in the channel. `gone`: the file was deleted.
 */
export type Share = { state: 'shown' | 'pending' | 'gone' } | { state: 'misplaced'; ts: string };

/** Whether Slack shows an upload at its target. */
export async function findShare(client: WebClient, id: string, { channel, threadTs }: UploadTarget): Promise<Share> {
  try {
    const { file } = await client.files.info({ file: id });
    const { shares = {}, channels = [], groups = [], ims = [] } = file ?? {};
    const [share] = [...(shares.public?.[channel] ?? []), ...(shares.private?.[channel] ?? [])];
    // A list of channels doesn't say whether the file is in a thread. In a direct message, only the person sees it anyway.
    const isListed =
      (threadTs === undefined || isDirect(channel)) && [...channels, ...groups, ...ims].includes(channel);
    if (share === undefined) return { state: isListed ? 'shown' : 'pending' };
    const isMisplaced = threadTs !== undefined && share.thread_ts !== threadTs;
    return isMisplaced ? { state: 'misplaced', ts: share.ts ?? '' } : { state: 'shown' };
  } catch (error) {
    const code = platformErrorOf(error);
    if (code === undefined) throw error;
    return { state: code === 'file_deleted' || code === 'file_not_found' ? 'gone' : 'pending' };
  }
}

/** Deletes an upload and the message that shows it, if any. */
export async function deleteUpload(client: WebClient, id: string, message?: MessageLocation): Promise<void> {
  const ignoreRefusal = (error: unknown) => {
    if (platformErrorOf(error) === undefined) throw error;
  };
  await client.files.delete({ file: id }).catch(ignoreRefusal);
  if (message !== undefined) await client.chat.delete(message).catch(ignoreRefusal);
}

/** Whether the message to reply to still exists. */
export async function messageExists(client: WebClient, { channel, ts }: MessageLocation): Promise<boolean> {
  try {
    await client.chat.getPermalink({ channel, message_ts: ts });
    return true;
  } catch (error) {
    if (platformErrorOf(error) === undefined) throw error;
    return false;
  }
}

/**
 * Whether the bot has the scope files:write. True if the scopes are unknown: every bot has scopes, so an empty list
 * means that Slack didn't report them.
 */
export function canAddFiles(bot: Pick<Bot, 'scopes'> | undefined): boolean {
  const { scopes = [] } = bot ?? {};
  return scopes.length === 0 || scopes.includes('files:write');
}

export const filesWriteMissing =
  "I can't add files to Slack here, because the permission “files:write” was declined. An admin can install me again and allow it.";

const refusalMessages: Record<string, string> = {
  missing_scope: filesWriteMissing,
  file_type_not_allowed: "This workspace doesn't allow this file type. Ask a workspace admin.",
  restricted_action: "This workspace doesn't let me post files there. Ask a workspace admin.",
  not_in_channel: "I'm not in that channel. Type /invite @dropline there, then try again.",
  channel_not_found: "I can't find that conversation. If it's private, type /invite @dropline there.",
  is_archived: 'That channel is archived.',
};

function throwRefusal(error: unknown): never {
  const code = platformErrorOf(error);
  if (code === undefined) throw error;
  const message = refusalMessages[code] ?? `Slack rejected the file (${code}).`;
  throw new DroplineError('file-failed', message, { cause: error });
}
