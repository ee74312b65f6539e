import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { createCache } from '../../../cache.ts';
import { DroplineError } from '../../../errors.ts';
import type { Blocks } from '../../../slack/blocks.ts';
import { isDirect, isSharedOutside } from '../../../slack/channels.ts';
import { cannotPost, change, contentOf, post } from '../../../slack/messages.ts';
import { platformErrorOf } from '../../../slack/platform-errors.ts';
import type { Location } from '../../common/services.ts';
import type { SlackSide } from '../../common/ui-services.ts';

export interface Message {
  text: string;
  blocks: Blocks;
}

/** Why nothing can be posted in a conversation: an error code of Slack, or our own `is_ext_shared`. */
export type Trouble = (typeof cannotPost)[number] | 'is_ext_shared';

export interface PostingOptions {
  slack: SlackSide;
  /** Slack allows one message a second per conversation. */
  everyMs: number;
}

export type Posting = ReturnType<typeof createPosting>;

/** Posts messages at the rate that Slack allows, and only in conversations without other organisations. */
export function createPosting({ slack, everyMs }: PostingOptions) {
  const pace = createPace(everyMs);
  // Checked before each post. Cached to stay below Slack's 50 calls a minute while posting to four channels at once.
  const cache = createCache<Trouble | undefined>({ lifeMs: Math.min(5_000, everyMs * 5), most: 1_000 });
  const troubleOf = async (workspace: string, channel: string) => {
    const client = await slack.clientOf(workspace);
    return cache.get(`${workspace} ${channel}`, () => troubleIn(client, channel));
  };

  return {
    /** With `threadTs`, posts a reply that is also shown in the conversation itself. */
    async post(workspace: string, channel: string, message: Message, threadTs?: string): Promise<Location> {
      const trouble = await troubleOf(workspace, channel);
      if (trouble !== undefined) throw new NoChannelError(channel, trouble);
      const client = await slack.clientOf(workspace);
      const reply = threadTs === undefined ? undefined : { thread_ts: threadTs, reply_broadcast: true };
      const content = contentOf(message.text, message.blocks);
      try {
        return await pace(`${workspace} ${channel}`, () => post(client, channel, content, reply));
      } catch (error) {
        const code = cannotPost.find((known) => known === platformErrorOf(error));
        throw code === undefined ? error : new NoChannelError(channel, code);
      }
    },
    /** Resolves with whether there was a message to change. */
    async change(workspace: string, location: Location, message: Message): Promise<boolean> {
      if ((await troubleOf(workspace, location.channel ?? '')) !== undefined) return false;
      return change(await slack.clientOf(workspace), location, contentOf(message.text, message.blocks));
    },
  };
}

export class NoChannelError extends DroplineError {
  readonly channel: string;
  readonly trouble: Trouble;

  constructor(channel: string, trouble: Trouble) {
    super('no-place', `Nothing can be posted there: ${trouble}.`);
    this.channel = channel;
    this.trouble = trouble;
  }
}

/** Why a post would fail now, as far as that can be known in advance. */
export async function troubleIn(client: WebClient, channel: string): Promise<Trouble | undefined> {
  if (isDirect(channel)) return undefined;
  try {
    const { channel: found } = await client.conversations.info({ channel });
    if (isSharedOutside(found)) return 'is_ext_shared';
    return found?.is_archived === true ? 'is_archived' : undefined;
  } catch (error) {
    const code = cannotPost.find((known) => known === platformErrorOf(error));
    if (code === undefined) throw error;
    return code;
  }
}

/** One task at a time per key. The delay starts when a task ends, because Slack might have held it up. */
function createPace(everyMs: number) {
  const turns = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = turns.get(key);
    const mine = before === undefined ? work() : before.then(work);
    const over = mine.catch(() => {}).then(() => sleep(everyMs, undefined, { ref: false }));
    turns.set(key, over);
    void over.then(() => turns.get(key) === over && turns.delete(key));
    return mine;
  };
}
