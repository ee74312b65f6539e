import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { isDirect } from '../lib/conversations.ts';
import { DroplineError } from '../lib/errors.ts';
import type { Blocks } from './blocks.ts';
import { isSharedOutside } from './channels.ts';
import { change, contentOf, type MessageLocation, post } from './messages.ts';
import { cannotPost, isUnanswered, platformErrorOf } from './platform-errors.ts';

export interface Message {
  text: string;
  blocks: Blocks;
}

/** Why nothing can be posted in a conversation: a Slack error code, or our own `is_ext_shared`. */
export type PostProblem = (typeof cannotPost)[number] | 'is_ext_shared';

/** The clients of a workspace's bot. The second one never retries a call. */
export interface PostingClients {
  clientOf(workspace: string): Promise<WebClient>;
  noRetryClientOf(workspace: string): Promise<WebClient>;
}

export type Posting = ReturnType<typeof createPosting>;

/**
 * Posts messages at the rate that Slack allows, and only in conversations without other organisations.
 *
 * @param everyMs the pause between two messages in a conversation
 */
export function createPosting(slack: PostingClients, everyMs: number) {
  const rateLimited = createRateLimit(everyMs);
  const problemOf = createChannelCheck(slack, everyMs);

  /**
   * Runs a post at the rate that Slack allows. Throws a `CannotPostError` if nothing can be posted there. Both checks
   * run after the wait for the rate limit, because during the wait the channel could become shared, or the caller could
   * lose its lock.
   */
  const paced = async <T>(
    workspace: string,
    channel: string,
    work: () => Promise<T>,
    check?: () => Promise<void>,
  ): Promise<T> => {
    const checkAll = async () => {
      const problem = await problemOf(workspace, channel);
      if (problem !== undefined) throw new CannotPostError(channel, problem);
      await check?.();
    };
    try {
      return await rateLimited(`${workspace} ${channel}`, checkAll, work);
    } catch (error) {
      const code = cannotPost.find((refusal) => refusal === platformErrorOf(error));
      throw code === undefined ? error : new CannotPostError(channel, code);
    }
  };
  const replyTo = (threadTs: string | undefined) =>
    threadTs === undefined ? undefined : { thread_ts: threadTs, reply_broadcast: true };

  return {
    /**
     * With `threadTs`, posts a reply that is also shown in the conversation itself.
     *
     * @param check called right before the post; rejects if the caller must no longer post
     */
    async post(
      workspace: string,
      channel: string,
      message: Message,
      { threadTs, check }: { threadTs?: string; check?: () => Promise<void> } = {},
    ): Promise<MessageLocation> {
      const client = await slack.clientOf(workspace);
      const content = contentOf(message.text, message.blocks);
      return paced(workspace, channel, () => post(client, channel, content, replyTo(threadTs)), check);
    },
    /**
     * Like `post`, but calls Slack only once. Rejects with `UnconfirmedPostError` if Slack doesn't answer.
     *
     * @param prepare called right before the post; resolves with undefined if nothing is to be posted
     */
    async postOnce(
      workspace: string,
      channel: string,
      prepare: () => Promise<Message | undefined>,
      threadTs?: string,
    ): Promise<MessageLocation | undefined> {
      const client = await slack.noRetryClientOf(workspace);
      return paced(workspace, channel, async () => {
        const message = await prepare();
        if (message === undefined) return undefined;
        const content = contentOf(message.text, message.blocks);
        return post(client, channel, content, replyTo(threadTs)).catch((error: unknown) => {
          throw isUnanswered(error) ? new UnconfirmedPostError('no answer to a post', { cause: error }) : error;
        });
      });
    },
    /** Resolves with false if the message doesn't exist or nothing can be posted in its channel. */
    async change(workspace: string, location: Partial<MessageLocation>, message: Message): Promise<boolean> {
      if ((await problemOf(workspace, location.channel ?? '')) !== undefined) return false;
      return change(await slack.clientOf(workspace), location, contentOf(message.text, message.blocks));
    },
  };
}

/** Slack didn't answer, so it isn't known whether the message was posted. */
export class UnconfirmedPostError extends Error {
  override readonly name = 'UnconfirmedPostError';
}

export class CannotPostError extends DroplineError {
  readonly channel: string;
  readonly problem: PostProblem;

  constructor(channel: string, problem: PostProblem) {
    super('no-channel', `I can't post there: ${problem}.`);
    this.channel = channel;
    this.problem = problem;
  }
}

/** The reason why a post would fail, as far as Slack reveals it in advance. */
export async function postProblemIn(client: WebClient, channel: string): Promise<PostProblem | undefined> {
  if (isDirect(channel)) return undefined;
  try {
    const { channel: info } = await client.conversations.info({ channel });
    if (isSharedOutside(info)) return 'is_ext_shared';
    return info?.is_archived === true ? 'is_archived' : undefined;
  } catch (error) {
    const code = cannotPost.find((refusal) => refusal === platformErrorOf(error));
    if (code === undefined) throw error;
    return code;
  }
}

/** How long a check is valid. In this time, a channel that becomes shared can still get a post. */
const maxCheckMs = 5_000;

/** Slack allows 50 `conversations.info` calls a minute per workspace. The rest is for other features and processes. */
const checksPerMinute = 45;

/**
 * Checks whether something can be posted in a channel. A check is valid for a few posts, and further checks wait while
 * Slack's limit is used up. So posts in any number of channels never exceed the limit.
 *
 * Uses only `conversations.info`: the event `channel_shared` can be late or lost, and Slack doesn't document whether
 * its lists of channels are current.
 */
function createChannelCheck(slack: PostingClients, everyMs: number) {
  const validMs = Math.min(maxCheckMs, everyMs * 5);
  const checked = new Map<string, { problem: PostProblem | undefined; start: number }>();
  const deleteExpired = () => {
    for (const [key, { start }] of checked) if (performance.now() - start >= validMs) checked.delete(key);
  };
  const limited = createCallLimit(checksPerMinute, everyMs * 55);
  return async (workspace: string, channel: string): Promise<PostProblem | undefined> => {
    if (isDirect(channel)) return undefined;
    const key = `${workspace} ${channel}`;
    deleteExpired();
    const valid = checked.get(key);
    if (valid !== undefined) return valid.problem;
    const client = await slack.clientOf(workspace);
    return limited(workspace, async () => {
      const start = performance.now();
      const problem = await postProblemIn(client, channel);
      checked.set(key, { problem, start });
      return problem;
    });
  };
}

/** Starts at most `max` calls per key in any `windowMs`. Further calls wait in order of arrival. */
function createCallLimit(max: number, windowMs: number) {
  const startsByKey = new Map<string, number[]>();
  return async <T>(key: string, call: () => Promise<T>): Promise<T> => {
    const now = performance.now();
    for (const [other, starts] of startsByKey) if (now - (starts.at(-1) ?? 0) >= windowMs) startsByKey.delete(other);
    const starts = (startsByKey.get(key) ?? []).filter((start) => now - start < windowMs);
    const start = Math.max(now, (starts.at(-max) ?? Number.NEGATIVE_INFINITY) + windowMs);
    startsByKey.set(key, [...starts, start]);
    if (start > now) await sleep(start - now, undefined, { ref: false });
    return call();
  };
}

/**
 * Runs one task at a time per key. The delay starts when a task ends, because Slack can delay the task itself. If its
 * check rejects, the task doesn't run, and there is no delay.
 */
function createRateLimit(everyMs: number) {
  const tails = new Map<string, Promise<unknown>>();
  return <T>(key: string, check: () => Promise<void>, work: () => Promise<T>): Promise<T> => {
    const previous = tails.get(key) ?? Promise.resolve();
    const checking = previous.then(check);
    const task = checking.then(work);
    const pause = () => task.catch(() => {}).then(() => sleep(everyMs, undefined, { ref: false }));
    const cooldown = checking.then(pause, () => {});
    tails.set(key, cooldown);
    void cooldown.then(() => tails.get(key) === cooldown && tails.delete(key));
    return task;
  };
}
