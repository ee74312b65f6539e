import type pg from 'pg';
import { bounds } from '../../../bounds.ts';
import { isDroplineError } from '../../../errors.ts';
import { handlerOf, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { connectionOf } from '../../common/connection.ts';
import { otherAccountConnected } from '../../common/errors.ts';
import type { NewPost, Services } from '../../common/services.ts';
import { digestsChangedKind } from '../../settings/jobs.ts';
import { readSettings } from '../../settings/repository.ts';
import { openRequests } from '../../transfers/kinds/request/operations.ts';
import type { StoredItem } from '../items/repository.ts';
import { pollState } from '../poll/repository.ts';
import { dueItems, type Group, groupByChannelAndRequests, haveSameChannels, splitIntoPosts } from './operations.ts';
import { type Announcements, announcementsIn } from './repository.ts';

export const announceKind = jobKind('announce', ['workspace', 'what'], { attempts: 50, slots: 'posting' });

/** If the new items for one channel or request need more messages than this, one summary announces them all. */
const maxMessages = 10;

/** Digests of different workspaces are due at the same moment, so each starts up to this much later. */
const digestSpreadMs = 60_000;

/**
 * Number of locations to post in at a time. Slack allows one message a second in each, and several hundred a minute in
 * the whole workspace.
 */
const maxLocations = 10;

export const announceQueue = (workspace: string) => `announce:${workspace}`;

/**
 * Adds a job that announces new items and updates posts or, for `baseline`, announces how many items are already there.
 * The queue's lock allows one worker at a time, so each item is posted once.
 */
export async function queueAnnouncement(
  { queue }: Services,
  workspace: string,
  within: pg.ClientBase | undefined,
  what: 'baseline' | 'news',
): Promise<void> {
  const key = `announce ${what} ${workspace}`;
  await queue.add(announceKind, { workspace, what }, { queue: announceQueue(workspace), key, within });
}

/** Adds a delayed job. Its key differs, so that it doesn't replace a job that announces now. */
export async function queueLaterAnnouncement(
  { queue }: Pick<Services, 'queue'>,
  workspace: string,
  afterMs: number,
  { what = 'news', within }: { what?: string; within?: pg.ClientBase } = {},
): Promise<void> {
  const key = `announce ${what} later ${workspace}`;
  const runAt = new Date(Date.now() + afterMs);
  await queue.add(announceKind, { workspace, what }, { queue: announceQueue(workspace), key, runAt, within });
}

/**
 * Adds the job that posts the next digest, at the earliest time at which any is due. Debounced, because the earliest of
 * many random times would be the same for every workspace.
 */
async function queueDigest({ queue }: Services, workspace: string, at: number): Promise<void> {
  const runAt = new Date(at + Math.random() * digestSpreadMs);
  const key = `announce digest ${workspace}`;
  const options = { queue: announceQueue(workspace), key, runAt, isDebounced: true };
  await queue.add(announceKind, { workspace, what: 'digest' }, options);
}

/** Queues the announcement of items that no longer wait for a digest, after an admin changed digests or channels. */
export function digestsChangedJob(services: Services): JobHandler {
  return handlerOf<{ workspace: string }>({
    kind: digestsChangedKind,
    run: ({ workspace }) => queueAnnouncement(services, workspace, undefined, 'news'),
    async giveUp({ workspace }, error) {
      // The items stay unannounced, so the next announcement posts them.
      services.log.error({ workspace, operation: 'announce', err: error }, 'announcement not queued');
    },
  });
}

export function announceJob(services: Services): JobHandler {
  return handlerOf<{ workspace: string; what: string }>({
    kind: announceKind,
    async run({ workspace, what }, { check }) {
      try {
        const { account } = (await connectionOf(services, workspace)).exchange;
        const items = announcementsIn(services.store, workspace, account);
        const run = postRunFor(services, workspace, account, check);
        if (what === 'baseline') {
          const leftOut = await leftOutOf(services, workspace);
          await run.make(async () => services.announcer.postBaseline(workspace, await items.countKnown(), leftOut));
        } else {
          await announceNew(services, workspace, account, items, run);
          await showChanges(services, workspace, items, run);
        }
        const remaining = run.finish();
        const { noChannelPauseMs } = services.timing;
        if (remaining === 'next') await queueAnnouncement(services, workspace, undefined, 'news');
        if (remaining === 'later') await queueLaterAnnouncement(services, workspace, noChannelPauseMs, { what });
      } catch (error) {
        // After a reconnect, the first poll announces the waiting items.
        if (!isDroplineError(error, 'not-connected')) throw error;
      }
    },
    async giveUp({ workspace }, error) {
      // The items stay unannounced in the repository, so the next job announces them.
      services.log.error({ workspace, operation: 'announce', err: error }, 'inbox items could not be announced');
    },
  });
}

const leftOutOf = async ({ store }: Services, workspace: string): Promise<number> =>
  (await pollState(store.pool, workspace))?.leftOut ?? 0;

export type PostRun = ReturnType<typeof createPostRun>;

/** Posts for an account's inbox. Stops if the worker has lost its lock or another account is connected. */
export const postRunFor = (services: Services, workspace: string, account: string, check: () => Promise<void>) =>
  createPostRun(services.timing.announceMs, async () => {
    await check();
    // After a reconnect to the same account, the inbox is the same, so continue.
    const current = await connectionOf(services, workspace);
    if (current.exchange.account !== account) throw otherAccountConnected();
  });

/**
 * Makes posts until the time limit. After a failed post, continues with the others and fails the job at the end, so
 * that it is retried. If posts failed only because of their location, which a person must fix, a delayed job retries.
 *
 * @param limitMs time limit after which no more posts start, except the first
 */
function createPostRun(limitMs: number, check: () => Promise<void>) {
  const failures: unknown[] = [];
  const deadline = performance.now() + limitMs;
  let started = 0;
  let hasRemaining = false;
  const isTimeUp = () => started > 0 && performance.now() >= deadline;
  const skip = () => {
    hasRemaining = true;
  };
  let mustStop = false;
  const checkShared = shareCalls(() =>
    check().catch((error: unknown) => {
      mustStop = true;
      throw error;
    }),
  );
  /** Makes a post that checks right before each message. Rejects only if a check did. */
  const makeChecked = async (post: (check: () => Promise<void>) => Promise<void>): Promise<void> => {
    if (isTimeUp()) return skip();
    started += 1;
    await post(checkShared).catch((error: unknown) => {
      if (mustStop) throw error;
      failures.push(error);
    });
  };
  return {
    isTimeUp,
    /** Leaves the remaining posts to the next job. */
    skip,
    makeChecked,
    /** Checks, then makes a post. */
    make: (post: () => Promise<void>) => makeChecked((check) => check().then(post)),
    /** When to continue with the remaining posts. If every post failed, continuing at once would only repeat that. */
    finish(): 'none' | 'next' | 'later' {
      const failure = failures.find((failure) => !isDroplineError(failure, 'no-channel'));
      if (failure !== undefined) throw failure;
      if (hasRemaining && (started === 0 || started > failures.length)) return 'next';
      return failures.length === 0 ? 'none' : 'later';
    },
  };
}

/** Runs `call` once at a time. All who ask before a run starts share it, so that none gets an outdated answer. */
function shareCalls(call: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const current = call();
      running = current.catch(() => {});
      return current;
    });
    return next;
  };
}

async function announceNew(
  services: Services,
  workspace: string,
  account: string,
  items: Announcements,
  run: PostRun,
): Promise<void> {
  const requests = await openRequests(services, workspace, account);
  const settings = await readSettings(services, workspace);
  const expectSameChannels = shareCalls(async () => {
    if (!haveSameChannels(settings, await readSettings(services, workspace))) throw new ChannelsChangedError();
  });
  /** Makes a post, unless an admin has changed where or when to post. Then the next job decides again. */
  const make: PostRun['makeChecked'] = (post) =>
    run.makeChecked(async (check) => {
      await post(() => check().then(expectSameChannels)).catch((error: unknown) => {
        if (!(error instanceof ChannelsChangedError)) throw error;
        run.skip();
      });
    });
  const now = await items.readDatabaseTime();
  let nextDigest: number | undefined;
  for await (const waiting of items.listWaiting()) {
    if (run.isTimeUp()) {
      run.skip();
      break;
    }
    const { groups, nextAt } = dueItems(groupByChannelAndRequests(settings, requests, waiting), now);
    if (nextAt !== undefined) nextDigest = Math.min(nextAt, nextDigest ?? nextAt);
    await announceGroups(services, workspace, items, make, groups);
  }
  if (nextDigest !== undefined) await queueDigest(services, workspace, nextDigest);
}

/** An admin has changed where or when to post. */
class ChannelsChangedError extends Error {
  override readonly name = 'ChannelsChangedError';
}

async function announceGroups(
  services: Services,
  workspace: string,
  items: Announcements,
  make: PostRun['makeChecked'],
  groups: Group[],
): Promise<void> {
  const { announcer } = services;
  const groupsWithPosts = groups.map((group) => ({ ...group, posts: splitIntoPosts(group) }));
  const isTooMany = ({ posts }: { posts: readonly unknown[] }) => posts.length > maxMessages;
  const individual = groupsWithPosts.filter((group) => !isTooMany(group));
  const requested = individual.filter(({ requestMatch }) => requestMatch.kind !== 'unrequested');
  const unrequested = individual.filter(({ requestMatch }) => requestMatch.kind === 'unrequested');
  await runConcurrently([requested, ...unrequested.map((group) => [group])], maxLocations, async (queue) => {
    for (const group of queue) {
      for (const known of group.posts) {
        await make(async (check) => {
          await items.markAnnounced(known, await announcer.postItems(workspace, postOf(group, known), check));
          recordDigest(services, workspace, group, known);
        });
      }
    }
  });
  const leftOut = await leftOutOf(services, workspace);
  for (const group of groupsWithPosts.filter(isTooMany)) {
    await make(async (check) => {
      await announcer.postSummary(workspace, postOf(group, group.items), leftOut, check);
      await items.markAnnouncedInSummary(group.items);
      recordDigest(services, workspace, group, group.items);
    });
  }
}

const postOf = ({ channel, requestMatch, digest }: Group, known: readonly StoredItem[]): NewPost => ({
  items: known.map(({ item }) => item),
  requestMatch,
  channel,
  isDigest: digest !== undefined,
});

/** Counts and logs a message of a digest. */
function recordDigest(
  { log, metrics }: Services,
  workspace: string,
  { channel, digest }: Group,
  known: readonly StoredItem[],
): void {
  if (digest === undefined) return;
  const { every } = digest;
  metrics?.count('dropline_digests_total', { every });
  log.info({ workspace, operation: 'announce', channel, every, items: known.length }, 'digest posted');
}

/** Resolves or rejects only when all tasks have ended: a task that continued after that would run without the lock. */
async function runConcurrently<T>(
  tasks: readonly T[],
  concurrency: number,
  runTask: (task: T) => Promise<void>,
): Promise<void> {
  const pending = [...tasks];
  const worker = async () => {
    for (let task = pending.shift(); task !== undefined; task = pending.shift()) await runTask(task);
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

/**
 * Updates the posts of items that have changed or are gone. Items that a summary announced are only marked as shown.
 */
async function showChanges(services: Services, workspace: string, items: Announcements, run: PostRun): Promise<void> {
  const updatedPosts = new Set<string>();
  let many = 0;
  for await (const changed of items.listChanged(services.timing.gonePauseMs)) {
    if (run.isTimeUp()) {
      run.skip();
      break;
    }
    many += changed.length;
    await items.markShown(changed.filter(({ location }) => location === undefined));
    for (const known of changed) await showChange(known);
  }
  if (many === bounds.inboxItems) run.skip();

  async function showChange(known: StoredItem): Promise<void> {
    const { location } = known;
    const post = JSON.stringify(location);
    if (location === undefined || updatedPosts.has(post)) return;
    updatedPosts.add(post);
    await run.make(async () => {
      const shared = await items.inSamePost(known);
      if (shared.length === 0) return;
      await services.announcer.updatePost(
        workspace,
        shared.map(({ item }) => item),
        location,
      );
      await items.markShown(shared);
    });
  }
  const { gonePauseMs } = services.timing;
  if (await items.areVanishing(gonePauseMs)) await queueLaterAnnouncement(services, workspace, gonePauseMs);
}
