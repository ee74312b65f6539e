import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { DroplineError } from '../../errors.ts';
import { keepAnswers } from '../../kept.ts';
import type { Blocks } from '../../slack/blocks.ts';
import { cutTo, limits } from '../../slack/limits.ts';
import { platformErrorOf } from '../../slack/platform-errors.ts';
import { escapeMrkdwn } from '../../slack/words.ts';
import type { Place } from '../services.ts';
import type { SlackSide } from '../ui-services.ts';

export interface Message {
  text: string;
  blocks: Blocks;
}

/** Why nothing can be posted in a conversation, as Slack says it; `is_ext_shared` is a reason of ours. */
export type Trouble = (typeof troubles)[number];
const troubles = [
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'is_ext_shared',
  'user_disabled',
  'messages_tab_disabled',
] as const;

/** The message or its conversation is not there to be changed (any more), or is not ours to change. */
const lost = new Set<string>([...troubles, 'message_not_found', 'cant_update_message', 'edit_window_closed']);

const threadless = new Set(['thread_not_found', 'cannot_reply_to_message']);

export interface PostingOptions {
  slack: SlackSide;
  /** Slack takes one message a second in a conversation. */
  everyMs: number;
}

export type Posting = ReturnType<typeof createPosting>;

/** Puts messages into conversations of a workspace, at the pace that Slack bears, and only where other organisations are not. */
export function createPosting({ slack, everyMs }: PostingOptions) {
  const pace = createPace(everyMs);
  // Asked before each post, but not more often than Slack likes to be asked.
  const looked = keepAnswers<Trouble | undefined>({ lifeMs: Math.min(3_000, everyMs * 3), most: 1_000 });
  const troubleOf = async (workspace: string, channel: string) => {
    if (isDirect(channel)) return undefined;
    const client = await slack.clientOf(workspace);
    return looked.get(`${workspace} ${channel}`, () => lookAt(client, channel));
  };

  return {
    troubleOf,
    /** `threadTs`: as a reply, which is also shown in the conversation itself. */
    async post(workspace: string, channel: string, message: Message, threadTs?: string): Promise<Place> {
      const trouble = await troubleOf(workspace, channel);
      if (trouble !== undefined) throw new NoPlaceError(channel, trouble);
      await pace(`${workspace} ${channel}`);
      const client = await slack.clientOf(workspace);
      const thread = threadTs === undefined ? {} : { thread_ts: threadTs, reply_broadcast: true };
      const send = (more: object) => client.chat.postMessage({ channel, ...contentOf(message), ...more });
      try {
        const posted = await send(thread).catch((error: unknown) => {
          // What it would reply to was deleted: then it stands by itself.
          if (threadTs === undefined || !threadless.has(platformErrorOf(error) ?? '')) throw error;
          return send({});
        });
        return { channel: posted.channel ?? channel, ts: posted.ts ?? '' };
      } catch (error) {
        const code = troubles.find((known) => known === platformErrorOf(error));
        throw code === undefined ? error : new NoPlaceError(channel, code);
      }
    },
    /** Whether there was something to change. */
    async change(workspace: string, { channel = '', ts = '' }: Place, message: Message): Promise<boolean> {
      if ((await troubleOf(workspace, channel)) !== undefined) return false;
      const client = await slack.clientOf(workspace);
      try {
        await client.chat.update({ channel, ts, ...contentOf(message) });
        return true;
      } catch (error) {
        if (lost.has(platformErrorOf(error) ?? '')) return false;
        throw error;
      }
    },
  };
}

export class NoPlaceError extends DroplineError {
  readonly channel: string;
  readonly trouble: Trouble;

  constructor(channel: string, trouble: Trouble) {
    super('no-place', `Nothing can be posted there: ${trouble}.`);
    this.channel = channel;
    this.trouble = trouble;
  }
}

/** A person, or the bot's own conversation with one: nobody else is in it. */
export const isDirect = (channel: string): boolean => /^[DUW]/.test(channel);

async function lookAt(client: WebClient, channel: string): Promise<Trouble | undefined> {
  try {
    const { channel: found } = await client.conversations.info({ channel });
    if (found?.is_ext_shared === true || found?.is_pending_ext_shared === true) return 'is_ext_shared';
    return found?.is_archived === true ? 'is_archived' : undefined;
  } catch (error) {
    const code = troubles.find((known) => known === platformErrorOf(error));
    if (code === undefined) throw error;
    return code;
  }
}

function contentOf({ text, blocks }: Message): Message {
  return { text: cutTo(escapeMrkdwn(text), limits.fallbackText), blocks };
}

/** Makes whoever comes too early wait for their turn. */
function createPace(everyMs: number) {
  const nextAt = new Map<string, number>();
  return async (key: string): Promise<void> => {
    const now = Date.now();
    for (const [other, at] of nextAt) if (at <= now) nextAt.delete(other);
    const at = nextAt.get(key) ?? now;
    nextAt.set(key, at + everyMs);
    await sleep(at - now);
  };
}
