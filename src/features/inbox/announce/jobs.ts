import { handlerOf, type JobHandler } from '../../../jobs/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import type { Desk, DeskIds } from '../../../store/index.ts';
import { connectionOf } from '../../common/connection.ts';
import type { InboxItem, NewPost, Services } from '../../common/services.ts';
import { channelFor } from '../../settings/inbox-channels.ts';
import { digestsChangedKind } from '../../settings/jobs.ts';
import { adminsOnly } from '../../settings/permission.ts';
import { readSettings, type Settings } from '../../settings/repository.ts';
import { openRequests } from '../../transfers/answers/operations.ts';
import { announceKind, queueAnnouncement, queueDigest, queueLaterAnnouncement } from '../items/jobs.ts';
import { endRestore, pollState } from '../poll/repository.ts';
import {
  channelsOfAnswers,
  dueItems,
  type Group,
  groupByChannelAndRequests,
  ownersOf,
  splitIntoPosts,
} from './operations.ts';
import { type PostRun, startPostRun } from './post-run.ts';
import { type Announcements, announcementsIn } from './repository.ts';

/** If the new items for one channel or request need more messages than this, one summary announces them all. */
const maxMessages = 10;

/**
 * Number of locations to post in at a time. Slack allows one message a second in each, and several hundred a minute in
 * the whole workspace.
 */
const maxLocations = 10;

/** Queues the announcement of items that no longer wait for a digest, after an admin changed the channels. */
export function digestsChangedJob(services: Services): JobHandler {
  return handlerOf<DeskIds>({
    kind: digestsChangedKind,
    async run(ids) {
      const desk = await services.store.credentials.deskWith(ids);
      if (desk !== undefined) await queueAnnouncement(services, desk, undefined, 'news');
    },
    async giveUp({ workspace }, error) {
      // The items stay unannounced, so the next announcement posts them.
      services.log.error({ workspace, operation: 'announce', err: error }, 'announcement not queued');
    },
  });
}

export function announceJob(services: Services): JobHandler {
  return handlerOf<DeskIds & { what: string }>({
    kind: announceKind,
    async run({ workspace, desk: id, what }, { check }) {
      const desk = await services.store.credentials.deskWith({ workspace, desk: id });
      // After a reconnect, the first poll announces the waiting items.
      if (desk === undefined) return;
      try {
        await connectionOf(services, desk);
        const settings = await readSettings(services, desk);
        const items = announcementsIn(services.store, workspace, desk.account);
        const run = startPostRun(services, { ...desk, settings }, check);
        const { restoredAt, lastSuccessAt } = (await pollState(services.store.pool, desk)) ?? {};
        const isRestored = restoredAt !== undefined;
        // The first poll after a restore announces everything that the backup doesn't have.
        if (isRestored && (lastSuccessAt === undefined || lastSuccessAt <= restoredAt)) return;
        const context = { services, desk, settings, items, run, isRestored };
        await assignAnew(context);
        if (what === 'baseline') await announceBaseline(context);
        else {
          await announceNew(context);
          await showChanges(context);
        }
        const remaining = run.finish();
        if (isRestored && remaining === 'none') await endRestore(services.store.pool, desk);
        const { noChannelPauseMs } = services.timing;
        const next = what === 'baseline' ? what : 'news';
        if (remaining === 'next') await queueAnnouncement(services, desk, undefined, next);
        if (remaining === 'later') await queueLaterAnnouncement(services, desk, noChannelPauseMs, { what });
      } catch (error) {
        if (!isDroplineError(error, 'not-connected')) throw error;
      }
    },
    async giveUp({ workspace }, error) {
      // The items stay unannounced in the repository, so the next job announces them.
      services.log.error({ workspace, operation: 'announce', err: error }, 'inbox items could not be announced');
    },
  });
}

interface Context {
  services: Services;
  desk: Required<Desk>;
  settings: Settings;
  items: Announcements;
  run: PostRun;
  isRestored: boolean;
}

/** How many items are beyond the limit. Only admins are told: their senders are unknown. */
async function leftOutOf({ services, desk }: Context, channel: string | undefined): Promise<number> {
  if (channel !== undefined) return 0;
  return (await pollState(services.store.pool, desk))?.leftOut ?? 0;
}

function announceBaseline(context: Context): Promise<void> {
  const { services, desk, settings, items, run } = context;
  const channel = channelFor(settings)?.channel;
  return run.post(async (check) => {
    await check();
    const known = await items.countKnown(channel ?? adminsOnly);
    await services.announcer.postBaseline(desk, known, await leftOutOf(context, channel));
  });
}

async function announceNew(context: Context): Promise<void> {
  const { services, desk, settings, items, run, isRestored } = context;
  const requests = await openRequests(services, desk);
  const now = await items.readDatabaseTime();
  let nextDigest: number | undefined;
  for await (const waiting of items.listWaiting()) {
    if (run.isOver()) {
      run.leaveRest();
      break;
    }
    const channels = await privateOf(context, channelsOfAnswers(settings, requests, waiting));
    const all = groupByChannelAndRequests(settings, requests, waiting, channels);
    await assign(context, all);
    const { groups, nextAt } = dueItems(isRestored ? all.map(withoutDigest) : all, now);
    if (nextAt !== undefined) nextDigest = Math.min(nextAt, nextDigest ?? nextAt);
    await announceGroups(context, groups);
  }
  if (nextDigest !== undefined) await queueDigest(services, desk, nextDigest);
}

/** After the account was reconnected, what was announced belongs to the channels that its senders have now. */
async function assignAnew({ settings, items }: Context): Promise<void> {
  for await (const batch of items.listUnassigned())
    await items.assign(
      batch.map((item) => ({ ...item, belongsTo: [channelFor(settings, item.sender)?.channel ?? adminsOnly] })),
    );
}

/** The private ones of these channels. Rejects if Slack doesn't say: an answer must not get to the wrong people. */
async function privateOf({ services, desk }: Context, channels: Iterable<string>): Promise<Set<string>> {
  const found = new Set<string>();
  for (const channel of channels)
    if ((await services.people.membersOf(desk.workspace, channel)) !== undefined) found.add(channel);
  return found;
}

/** Stores what waiting items belong to now, if that has changed. */
async function assign({ items }: Context, groups: readonly Group[]): Promise<void> {
  const assigned = groups.flatMap((group) => {
    const belongsTo = ownersOf(group);
    return group.items
      .filter((item) => String(item.belongsTo) !== String(belongsTo))
      .map((item) => ({ ...item, belongsTo }));
  });
  if (assigned.length > 0) await items.assign(assigned);
}

async function announceGroups(context: Context, groups: Group[]): Promise<void> {
  const { services, desk, items, run, isRestored } = context;
  const { announcer } = services;
  const groupsWithPosts = groups.map((group) => ({ ...group, posts: splitIntoPosts(group) }));
  const isTooMany = ({ posts }: { posts: readonly unknown[] }) => isRestored || posts.length > maxMessages;
  const individual = groupsWithPosts.filter((group) => !isTooMany(group));
  const requested = individual.filter(({ requestMatch }) => requestMatch.kind !== 'unrequested');
  const unrequested = individual.filter(({ requestMatch }) => requestMatch.kind === 'unrequested');
  await runConcurrently([requested, ...unrequested.map((group) => [group])], maxLocations, async (queue) => {
    for (const group of queue) {
      for (const together of group.posts) {
        await run.post(async (check) => {
          await items.markAnnounced(together, await announcer.postItems(desk, postOf(group, together), check));
          recordDigest(context, group, together);
        });
      }
    }
  });
  for (const group of groupsWithPosts.filter(isTooMany)) {
    await run.post(async (check) => {
      const leftOut = group.requestMatch.kind === 'unrequested' ? await leftOutOf(context, group.channel) : 0;
      const post = { ...postOf(group, group.items), isRestored };
      const { belongsTo } = await announcer.postSummary(desk, post, leftOut, check);
      await items.markAnnouncedInSummary(group.items, belongsTo);
      recordDigest(context, group, group.items);
    });
  }
}

const postOf = ({ channel, isPrivate, requestMatch, digest }: Group, items: InboxItem[]): NewPost => ({
  items,
  requestMatch,
  channel,
  isPrivate,
  isDigest: digest !== undefined,
  isRestored: false,
});

const withoutDigest = (group: Group): Group => ({ ...group, digest: undefined });

/** Counts and logs a message of a digest. */
function recordDigest(
  { services: { log, metrics }, desk: { workspace } }: Context,
  { channel, digest }: Group,
  items: readonly InboxItem[],
): void {
  if (digest === undefined) return;
  const { posts: every } = digest;
  metrics?.count('dropline_digests_total', { every });
  log.info({ workspace, operation: 'announce', channel, every, items: items.length }, 'digest posted');
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
async function showChanges({ services, desk, items, run }: Context): Promise<void> {
  const { gonePauseMs } = services.timing;
  // Read before the list: an item whose pause ends in between is in the list.
  const areVanishing = await items.areVanishing(gonePauseMs);
  const updatedPosts = new Set<string>();
  let many = 0;
  for await (const changed of items.listChanged(gonePauseMs)) {
    if (run.isOver()) {
      run.leaveRest();
      break;
    }
    many += changed.length;
    await items.markShown(changed.filter(({ post }) => post === undefined));
    for (const item of changed) {
      const { post } = item;
      const key = JSON.stringify(post);
      if (post === undefined || updatedPosts.has(key)) continue;
      updatedPosts.add(key);
      await run.post(async (check) => {
        await check();
        const together = await items.inSamePost(item);
        if (together.length === 0) return;
        await services.announcer.updatePost(desk, together, post);
        await items.markShown(together);
      });
    }
  }
  if (many === bounds.inboxItems) run.leaveRest();
  if (areVanishing) await queueLaterAnnouncement(services, desk, gonePauseMs);
}
