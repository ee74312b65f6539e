import type { WebClient } from '@slack/web-api';
import { type Blocks, line } from './blocks.ts';
import { cutTo, limits } from './limits.ts';
import { platformErrorOf } from './platform-errors.ts';
import { escapeMrkdwn } from './words.ts';

/** What a message says, ready for Slack: made by `contentOf`. */
export interface Content {
  text: string;
  blocks: Blocks;
}

/** Whatever the text holds is shown as it is: by the blocks, and by what notifications and screen readers take instead. */
export function contentOf(text: string, blocks: Blocks = [line(text)]): Content {
  return { text: cutTo(escapeMrkdwn(text), limits.fallbackText), blocks };
}

export async function post(
  client: WebClient,
  channel: string,
  content: Content,
): Promise<{ channel: string; ts: string }> {
  // A stranger's text must not bring in a picture or a page of theirs.
  const unfurl = { unfurl_links: false, unfurl_media: false };
  const posted = await client.chat.postMessage({ channel, ...content, ...unfurl });
  return { channel: posted.channel ?? channel, ts: posted.ts ?? '' };
}

/**
 * Why nothing can be posted to somebody or in a conversation until people change something, as Slack says it.
 * `account_inactive` is none of these: it is about the bot itself, not about whom it writes to.
 */
export const noPlace = [
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'user_disabled',
  'user_not_found',
  'user_not_visible',
  'cannot_dm_bot',
  'messages_tab_disabled',
] as const;

/** Trying again would change nothing: whoever was to be told has left, or wants no messages. */
export const isUnreachable = (error: unknown): boolean => isOneOf(noPlace, error);

function isOneOf(refusals: readonly string[], error: unknown): boolean {
  const refusal = platformErrorOf(error);
  return refusal !== undefined && refusals.includes(refusal);
}
