import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { DroplineError } from '../../../errors.ts';
import { type Blocks, line } from '../../../slack/blocks.ts';
import { isDirect, isSharedOutside } from '../../../slack/channels.ts';
import { cannotPost, change, contentOf, post } from '../../../slack/messages.ts';
import { isUnanswered, platformErrorOf } from '../../../slack/platform-errors.ts';
import { defineCollection, type Store } from '../../../store/index.ts';
import type { Location } from '../../common/services.ts';
import type { SlackAccess } from '../../common/ui-services.ts';

export interface Message {
  text: string;
  blocks: Blocks;
}

/** Why nothing can be posted in a conversation: a Slack error code, or our own `is_ext_shared`. */
export type PostProblem = (typeof cannotPost)[number] | 'is_ext_shared';

export interface PostingOptions {
  slack: SlackAccess;
  /** The pause between two messages in a conversation. Slack allows one message a second. */
  everyMs: number;
}

export type Posting = ReturnType<typeof createPosting>;

/** Posts messages at the rate that Slack allows, and only in conversations without other organisations. */
export function createPosting({ slack, everyMs }: PostingOptions) {
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
      { threadTs, check }: { threadTs?: string | undefined; check?: (() => Promise<void>) | undefined } = {},
    ): Promise<Location> {
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
    ): Promise<Location | undefined> {
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
    async change(workspace: string, location: Location, message: Message): Promise<boolean> {
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
function createChannelCheck(slack: SlackAccess, everyMs: number) {
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

/** The last reported problem of a channel. It is reported again only after a post there has succeeded, or 90 days. */
const reportedProblems = defineCollection('inbox-problem', z.object({ problem: z.string() }));
const reportedTtlMs = 90 * 86_400_000;

export interface ProblemReportsOptions {
  store: Store;
  posting: Posting;
  /** People to notify if the person who chose the channel can't be reached. */
  adminsOf(workspace: string): Promise<string[]>;
}

export function createProblemReports({ store, posting, adminsOf }: ProblemReportsOptions) {
  const collection = store.collection(reportedProblems);

  async function peopleToNotify(workspace: string, channel: string): Promise<Set<string>> {
    const chooser = await chooserOf(store, workspace, channel);
    return new Set([...(chooser === undefined ? [] : [chooser]), ...(await adminsOf(workspace))]);
  }

  async function tryToNotify(workspace: string, person: string, message: Message): Promise<boolean> {
    try {
      await posting.post(workspace, person, message);
      return true;
    } catch (error) {
      if (error instanceof CannotPostError) return false;
      throw error;
    }
  }

  return {
    async report(workspace: string, { channel, problem }: CannotPostError): Promise<void> {
      const reported = await collection.get(workspace, channel);
      if (reported?.problem === problem) return;
      // For a direct message, the person to notify is the one who can't be reached.
      if (isDirect(channel)) return;
      const text = problemText(problem);
      const message = {
        text: `New files can't be posted in their channel. ${text} ${hint}`,
        blocks: [line("New files can't be posted in ", { channel }, `. ${text}`), line(hint)],
      };
      for (const person of await peopleToNotify(workspace, channel)) {
        if (!(await tryToNotify(workspace, person, message))) continue;
        await collection.set(workspace, { problem: problem }, { name: channel, ttlMs: reportedTtlMs });
        return;
      }
    },
    async clear(workspace: string, channel: string): Promise<void> {
      if (!isDirect(channel)) await collection.delete(workspace, channel);
    },
  };
}

const hint =
  "Nothing is lost. I'll post them once this is fixed or you choose another channel in /drop settings. Until then, see /drop inbox.";

function problemText(problem: PostProblem): string {
  switch (problem) {
    case 'is_archived':
      return 'The channel is archived.';
    case 'is_ext_shared':
      return "It's now shared with another organisation, whose members shouldn't see who sends you files.";
    case 'not_in_channel':
      return "I'm no longer in it. Type /invite @dropline there.";
    case 'channel_not_found':
      return "It was deleted, or it's private and I'm no longer in it. If it's private, type /invite @dropline there.";
    case 'ekm_access_denied':
      return 'A Slack admin has suspended posting there.';
    case 'team_access_not_granted':
      return "The app isn't approved in the channel's workspace. A Slack admin can approve it.";
    default:
      return 'Posting there is restricted. A channel manager can allow me to post.';
  }
}

/** The person who last chose the channel, according to the audit log. */
async function chooserOf({ audit }: Store, workspace: string, channel: string): Promise<string | undefined> {
  const entries = await Promise.all(
    ['settings', 'connect'].map((action) => audit.list(workspace, { action, limit: 50 })),
  );
  const chosen = entries.flat().filter(({ outcome, details = {} }) => {
    const channels = 'channels' in details ? (details.channels ?? []) : [];
    return outcome === 'done' && channels.some((one) => 'channel' in one && one.channel === channel);
  });
  return chosen.sort((a, b) => b.number - a.number)[0]?.person;
}
