import type { WebClient } from '@slack/web-api';
import { DroplineError } from '../errors.ts';
import { type Blocks, line } from './blocks.ts';
import { isDirect } from './channels.ts';
import { limits, truncateText } from './limits.ts';
import { platformErrorOf } from './platform-errors.ts';
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

/** The same message without its rows of buttons, for when the buttons no longer work. */
export const withoutButtons = ({ text, blocks }: Content): Content => ({
  text,
  blocks: blocks.filter(({ type }) => type !== 'actions'),
});

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
    const posted = await client.chat.postMessage({ channel, ...content, ...unfurl, ...extra });
    const isReply = posted.message?.thread_ts !== undefined;
    return { location: { channel: posted.channel ?? channel, ts: posted.ts ?? '' }, isReply };
  };
  if (reply === undefined) return (await send()).location;
  const posted = await send(reply).catch((error: unknown) => {
    if (!isOneOf(noThread, error)) throw error;
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
    await client.chat.update({ channel, ts, ...content });
    return true;
  } catch (error) {
    if (isOneOf(cannotChange, error)) return false;
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

/** The permalink of a message; undefined if it was deleted or the bot can't see it. */
export async function permalinkOf(
  client: WebClient,
  { channel = '', ts = '' }: Partial<MessageLocation>,
): Promise<string | undefined> {
  try {
    return (await client.chat.getPermalink({ channel, message_ts: ts })).permalink;
  } catch (error) {
    if (isOneOf(cannotChange, error)) return undefined;
    throw error;
  }
}

/**
 * Slack's error codes for a person or conversation that can't get messages until that person or an admin acts. Doesn't
 * include `account_inactive`, which is about the bot itself.
 */
export const cannotPost = [
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'restricted_action_non_threadable_channel',
  'restricted_action_thread_locked',
  'ekm_access_denied',
  'team_access_not_granted',
  'user_disabled',
  'user_not_found',
  'user_not_visible',
  'cannot_dm_bot',
  'messages_tab_disabled',
] as const;

/** The message or its conversation is gone, or the bot can't change it. */
const cannotChange = [...cannotPost, 'message_not_found', 'cant_update_message', 'edit_window_closed'];

const noThread = ['thread_not_found', 'cannot_reply_to_message'];

/** Whether retrying is useless, because the person or conversation can't get messages. */
export const isUnreachable = (error: unknown): boolean => isOneOf(cannotPost, error);

function isOneOf(refusals: readonly string[], error: unknown): boolean {
  const refusal = platformErrorOf(error);
  return refusal !== undefined && refusals.includes(refusal);
}
