import { createHash } from 'node:crypto';
import type { ActionsBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { isDirect } from '../lib/conversations.ts';
import { DroplineError } from '../lib/errors.ts';
import { type Blocks, line, note } from './blocks.ts';
import { limits, truncateText } from './limits.ts';
import { ignoreRefusal, isRefused } from './platform-errors.ts';
import { escapeMrkdwn } from './words.ts';

/** A message's content, ready for Slack. Made by `contentOf`. */
export interface Content {
  text: string;
  blocks: Blocks;
}

/** Text is shown literally, both in the blocks and in the fallback for notifications and screen readers. */
export function contentOf(text: string, blocks: Blocks = [line(text)]): Content {
  return { text: truncateText(escapeMrkdwn(text), limits.fallbackText), blocks };
}

/**
 * Gives each row of buttons an id that stays the same while the message is updated. Slack would make up a new one for
 * each update, and could refuse a click that the person confirms after it.
 */
function withRowIds({ text, blocks }: Content): Content {
  const used = new Set<string>();
  const withId = (block: Blocks[number]) => {
    const id = block.type === 'actions' ? rowId(block) : undefined;
    if (id === undefined || used.has(id)) return block;
    used.add(id);
    return { ...block, block_id: id };
  };
  return { text, blocks: blocks.map(withId) };
}

/** By the first button, so that a row with another button never gets its clicks. */
function rowId({ elements: [first] }: ActionsBlock): string | undefined {
  if (first?.type !== 'button') return undefined;
  return createHash('sha256').update(`${first.action_id} ${first.value}`).digest('base64url');
}

/** The same message without its rows of buttons, for when the buttons no longer work. */
export const withoutButtons = ({ text, blocks }: Content): Content => ({
  text,
  blocks: blocks.filter(({ type }) => type !== 'actions'),
});

/** The same message, saying which account of several it is about. */
export const withDeskName = ({ text, blocks }: Content, name: string | undefined): Content =>
  name === undefined
    ? { text, blocks }
    : { text: `${text} · ${name.replace(/[<>&]/g, '')}`, blocks: [...blocks, note(`Desk: ${name}`)] };

export type MessageLocation = { channel: string; ts: string };

export interface Reply {
  thread_ts: string;
  /** Whether the reply is also shown in the conversation itself. */
  reply_broadcast?: boolean;
}

/**
 * Posts a message or a reply. If the parent message was deleted, a reply in a direct message becomes a regular message.
 * In a channel, where everyone would see it, the reply is deleted or not posted, and this rejects with `no-channel`.
 */
export async function post(
  client: WebClient,
  channel: string,
  content: Content,
  reply?: Reply,
): Promise<MessageLocation> {
  // Text can come from outside senders, so don't show previews of their links.
  const unfurl = { unfurl_links: false, unfurl_media: false };
  const send = async (extra: object = {}) => {
    const posted = await client.chat.postMessage({ channel, ...withRowIds(content), ...unfurl, ...extra });
    const isReply = posted.message?.thread_ts !== undefined;
    return { location: { channel: posted.channel ?? channel, ts: posted.ts ?? '' }, isReply };
  };
  if (reply === undefined) return (await send()).location;
  const posted = await send(reply).catch((error: unknown) => {
    if (!isRefused(error, 'no-thread')) throw error;
    return undefined;
  });
  // If the parent message was deleted, Slack can post a regular message without an error.
  if (posted !== undefined && (posted.isReply || isDirect(posted.location.channel))) return posted.location;
  if (posted !== undefined) await client.chat.delete(posted.location);
  else if (isDirect(channel)) return (await send()).location;
  throw new DroplineError('no-channel', 'The message to reply to was deleted.');
}

/** Resolves with false if the message is gone or can't be changed. */
export async function change(
  client: WebClient,
  { channel = '', ts = '' }: Partial<MessageLocation>,
  content: Content,
): Promise<boolean> {
  try {
    await client.chat.update({ channel, ts, ...withRowIds(content) });
    return true;
  } catch (error) {
    if (isRefused(error, 'cannot-change')) return false;
    throw error;
  }
}

/**
 * Changes the message at the location. If there is none, or it can't be changed, posts a new one to the person and
 * resolves with its location.
 */
export async function changeOrPost(
  client: WebClient,
  person: string,
  location: Partial<MessageLocation> | undefined,
  content: Content,
): Promise<MessageLocation | undefined> {
  if (location !== undefined && (await change(client, location, content))) return undefined;
  return post(client, person, content);
}

/** Deletes a message. Ignores Slack's refusal, because the person could have deleted it. */
export async function deleteMessage(
  client: WebClient,
  { channel = '', ts = '' }: Partial<MessageLocation>,
): Promise<void> {
  await client.chat.delete({ channel, ts }).catch(ignoreRefusal);
}

/** The permalink of a message; undefined if it was deleted or the bot can't see it. */
export async function permalinkOf(
  client: WebClient,
  { channel = '', ts = '' }: Partial<MessageLocation>,
): Promise<string | undefined> {
  try {
    return (await client.chat.getPermalink({ channel, message_ts: ts })).permalink;
  } catch (error) {
    if (isRefused(error, 'cannot-change')) return undefined;
    throw error;
  }
}

/** Whether retrying is useless, because the person or conversation can't get messages. */
export const isUnreachable = (error: unknown): boolean => isRefused(error, 'cannot-post');
