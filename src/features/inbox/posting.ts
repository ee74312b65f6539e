import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { createCache } from '../../cache.ts';
import { DroplineError } from '../../errors.ts';
import type { Blocks } from '../../slack/blocks.ts';
import { isDirect, isSharedOutside } from '../../slack/channels.ts';
import { cannotPost, change, contentOf, post } from '../../slack/messages.ts';
import { platformErrorOf } from '../../slack/platform-errors.ts';
import type { Location } from '../services.ts';
import type { SlackSide } from '../ui-services.ts';

export interface Message {
  text: string;
  blocks: Blocks;
}

/** Why nothing can be posted in a conversation, as Slack says it; `is_ext_shared` is a reason of ours. */
export type Trouble = (typeof cannotPost)[number] | 'is_ext_shared';

export interface PostingOptions {
  slack: SlackSide;
  /** Slack takes one message a second in a conversation. */
  everyMs: number;
}

export type Posting = ReturnType<typeof createPosting>;

/** Puts messages into conversations of a workspace, at the pace that Slack bears, and only where other organisations are not. */
export function createPosting({ slack, everyMs }: PostingOptions) {
  const pace = createPace(everyMs);
  // Asked before a post, but not more often than Slack likes to be asked: fifty times a minute, for four places at a time.
  const looked = createCache<Trouble | undefined>({ lifeMs: Math.min(5_000, everyMs * 5), most: 1_000 });
  const troubleOf = async (workspace: string, channel: string) => {
    const client = await slack.clientOf(workspace);
    return looked.get(`${workspace} ${channel}`, () => troubleIn(client, channel));
  };

  return {
    /** `threadTs`: as a reply, which is also shown in the conversation itself. */
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
    /** Whether there was something to change. */
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

/** Why nothing may be posted there at this moment, as far as that can be told beforehand. */
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

/** One after the other, and so far apart: counted from the end of the one before, which Slack may have made wait. */
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
