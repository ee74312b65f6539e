import { Readable } from 'node:stream';
import type { FilesInfoResponse, WebClient } from '@slack/web-api';
import { request } from 'undici';
import { isDirect } from '../lib/conversations.ts';
import { DroplineError } from '../lib/errors.ts';
import { exactBytes } from '../lib/exact-bytes.ts';
import { type Blocks, line } from './blocks.ts';
import type { Bot } from './installations.ts';
import { deleteMessage, type MessageLocation } from './messages.ts';
import { ignoreRefusal, isRefused, isSlackFailure, isUnanswered, platformErrorOf } from './platform-errors.ts';
import { missingScopes } from './scopes.ts';

export interface SlackUpload {
  client: WebClient;
  name: string;
  /** The exact size in bytes, which Slack requires before the upload. */
  size: number;
  open(): Readable | Promise<Readable>;
  signal?: AbortSignal;
}

/** Where to show a file. */
export interface UploadTarget {
  /** The conversation's id. For a direct message, the one that chat.postMessage returned, not the person's. */
  channel: string;
  threadTs?: string;
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
    // Slack's gateway times out now and then. A retry needs a new upload URL and a new source, so the job does it.
    if (statusCode >= 500)
      throw new DroplineError('busy', `Slack couldn't take the file (${statusCode}). Try again later.`);
    if (statusCode !== 200) throw new DroplineError('file-failed', `Slack rejected the file (${statusCode}).`);
  } finally {
    source.destroy();
  }
}

/**
 * Shares an upload in Slack. Resolves with false if Slack's answer was lost or unclear: it might have shared the file.
 * Slack doesn't document whether a second call shares the file twice, so use `findShare` first. Slack answers before the
 * file is visible, because it scans the file first: `findShare` also tells when it is visible.
 *
 * @param client never retries
 * @param comment shown above the file, literally
 */
export async function shareUpload(
  client: WebClient,
  { file, channel, threadTs, name, comment }: UploadTarget & { file: string; name: string; comment?: string },
): Promise<boolean> {
  const location = threadTs === undefined ? { channel_id: channel } : { channel_id: channel, thread_ts: threadTs };
  // Not as initial_comment, in which Slack would parse markup.
  const blocks: { blocks?: Blocks } = comment === undefined ? {} : { blocks: [line(comment)] };
  try {
    await client.files.completeUploadExternal({ files: [{ id: file, title: name }], ...location, ...blocks });
    return true;
  } catch (error) {
    if (isUnanswered(error) || isRefused(error, 'unclear')) return false;
    throwRefusal(error);
  }
}

/**
 * `pending`: Slack doesn't show the file yet. `not-found`: Slack doesn't know the file: it wasn't shared, or only a
 * moment ago. `misplaced`: the parent message was deleted, and Slack shows the file outside the thread, in the channel.
 * `gone`: the file was deleted.
 */
export type Share = { state: 'shown' | 'pending' | 'not-found' | 'gone' } | { state: 'misplaced'; ts: string };

/** Whether Slack shows an upload at its target. */
export async function findShare(client: WebClient, id: string, { channel, threadTs }: UploadTarget): Promise<Share> {
  try {
    const { file } = await client.files.info({ file: id });
    const { channels = [], groups = [], ims = [] } = file ?? {};
    const [share] = sharesIn(file, channel);
    // A list of channels doesn't say whether the file is in a thread. In a direct message, only the person sees it anyway.
    const isListed =
      (threadTs === undefined || isDirect(channel)) && [...channels, ...groups, ...ims].includes(channel);
    if (share === undefined) return { state: isListed ? 'shown' : 'pending' };
    const isMisplaced = threadTs !== undefined && share.thread_ts !== threadTs;
    return isMisplaced ? { state: 'misplaced', ts: share.ts ?? '' } : { state: 'shown' };
  } catch (error) {
    const code = platformErrorOf(error);
    if (code === undefined) throw error;
    if (code === 'file_not_found') return { state: 'not-found' };
    return { state: code === 'file_deleted' ? 'gone' : 'pending' };
  }
}

function sharesIn(file: FilesInfoResponse['file'], channel: string) {
  const { shares = {} } = file ?? {};
  return [...(shares.public?.[channel] ?? []), ...(shares.private?.[channel] ?? [])];
}

/** The thread in which a file was last shared in a channel. Undefined if it isn't a reply, or Slack doesn't say. */
export async function sharedThread(client: WebClient, id: string, channel: string): Promise<string | undefined> {
  const { file } = await client.files.info({ file: id }).catch((error: unknown) => {
    if (!isSlackFailure(error)) throw error;
    return { file: undefined };
  });
  const shares = sharesIn(file, channel).sort((a, b) => ((a.ts ?? '') < (b.ts ?? '') ? 1 : -1));
  const { ts, thread_ts: thread } = shares[0] ?? {};
  return thread === ts ? undefined : thread;
}

/** Deletes an upload and the message that shows it, if any. */
export async function deleteUpload(client: WebClient, id: string, message?: MessageLocation): Promise<void> {
  await client.files.delete({ file: id }).catch(ignoreRefusal);
  if (message !== undefined) await deleteMessage(client, message);
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

/** Whether the bot has the scope files:write, as far as Slack reports that. */
export function canAddFiles(bot: Pick<Bot, 'scopes'> | undefined): boolean {
  return !missingScopes(bot?.scopes).includes('files:write');
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
