import { dayOf, instantOf } from '../../../lib/time-zone.ts';
import type { InboxItem, RequestMatch } from '../../common/services.ts';
import { channelFor, type InboxChannel } from '../../settings/inbox-channels.ts';
import { adminsOnly } from '../../settings/permission.ts';
import type { Settings } from '../../settings/repository.ts';
import { assignToRequests, type OpenRequest } from '../../transfers/answers/operations.ts';

/** When a channel gets a post with everything that has arrived. */
export interface Digest extends Pick<InboxChannel, 'hour' | 'zone'> {
  posts: 'hour' | 'day';
}

export interface Group {
  channel: string | undefined;
  /** Whether the channel is private and so gets the items although people asked for them. */
  isPrivate: boolean;
  requestMatch: RequestMatch;
  /** The channel's digest. Answers to a request never wait for a digest. */
  digest: Digest | undefined;
  items: InboxItem[];
}

/** Groups items by channel and matching requests. Keeps their order. */
export function groupByChannelAndRequests(
  settings: Pick<Settings, 'inboxChannels'>,
  requests: readonly OpenRequest[],
  items: readonly InboxItem[],
  privateChannels: ReadonlySet<string> = new Set(),
): Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const requestMatch = assignToRequests(item, requests);
    const inboxChannel = channelFor(settings, item.sender);
    const channel = inboxChannel?.channel;
    const key = JSON.stringify([channel, ...requestMatch.requests.map(({ id }) => id)]);
    const isRequested = requestMatch.kind !== 'unrequested';
    const digest = isRequested ? undefined : scheduleOf(inboxChannel);
    const isPrivate = channel !== undefined && privateChannels.has(channel);
    const group = groups.get(key) ?? { channel, isPrivate, requestMatch, digest, items: [] };
    group.items.push(item);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The channels of items that can be answers to requests. */
export function channelsOfAnswers(
  settings: Pick<Settings, 'inboxChannels'>,
  requests: readonly OpenRequest[],
  items: readonly InboxItem[],
): Set<string> {
  const answers = items.filter(({ sender = '' }) => requests.some(({ asked }) => asked.has(sender.toLowerCase())));
  return new Set(answers.flatMap(({ sender }) => channelFor(settings, sender)?.channel ?? []));
}

/** What the items of a group belong to: people who asked for them, unless their channel is private, else the channel. */
export function ownersOf({ channel, isPrivate, requestMatch }: Omit<Group, 'items' | 'digest'>): string[] {
  const { requests } = requestMatch;
  if (requests.length > 0 && !isPrivate) return [...new Set(requests.map(({ person }) => person))];
  return [channel ?? adminsOnly];
}

function scheduleOf(channel: InboxChannel | undefined): Digest | undefined {
  if (channel === undefined || channel.posts === 'each') return undefined;
  return { posts: channel.posts, hour: channel.hour, zone: channel.zone };
}

export interface DueItems {
  groups: Group[];
  /** When the next digest is due; undefined if no item waits for one. */
  nextAt: number | undefined;
}

/** The groups without the items that wait for their channel's next digest. */
export function dueItems(groups: readonly Group[], now: number): DueItems {
  const due: DueItems = { groups: [], nextAt: undefined };
  for (const group of groups) {
    if (group.digest === undefined) {
      due.groups.push(group);
      continue;
    }
    const { previous, next } = digestTimes(group.digest, now);
    const items = group.items.filter(({ firstSeen = 0 }) => firstSeen <= previous);
    if (items.length > 0) due.groups.push({ ...group, items });
    if (items.length < group.items.length) due.nextAt = Math.min(next, due.nextAt ?? next);
  }
  return due;
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** The last time at or before now at which a digest was due, and the next one. */
export function digestTimes({ posts, hour, zone }: Digest, now: number): { previous: number; next: number } {
  if (posts === 'hour') {
    const previous = Math.floor(now / hourMs) * hourMs;
    return { previous, next: previous + hourMs };
  }
  const today = Date.parse(dayOf(now, zone));
  const times = [-1, 0, 1].map((days) => instantOf(today + days * dayMs + hour * hourMs, zone));
  const next = times.find((time) => time > now) ?? now + dayMs;
  return { previous: times.findLast((time) => time <= now) ?? now - dayMs, next };
}

/** Slack accepts 50 blocks per message. One is reserved for the title of a digest. */
const maxBlocks = 49;
const maxItems = 8;

/**
 * Splits the items into messages. A digest has all items in order. Otherwise, items of one sender that the same poll
 * found share a message.
 */
export function splitIntoPosts({ digest, items }: Pick<Group, 'digest' | 'items'>): InboxItem[][] {
  const itemsByKey = new Map<string, InboxItem[]>();
  for (const item of items) {
    const key = digest === undefined ? postKeyOf(item) : '';
    const itemsOfKey = itemsByKey.get(key) ?? [];
    itemsOfKey.push(item);
    itemsByKey.set(key, itemsOfKey);
  }
  return [...itemsByKey.values()].flatMap(fitIntoPosts);
}

/** Items of one sender that the same poll found have the same key. An item without a sender has its own key. */
function postKeyOf({ url, sender = '', foundAt }: InboxItem): string {
  const from = sender.trim().toLowerCase();
  return from === '' ? url : JSON.stringify([from, foundAt]);
}

function fitIntoPosts(items: readonly InboxItem[]): InboxItem[][] {
  const posts: InboxItem[][] = [];
  let blocks = maxBlocks;
  for (const item of items) {
    const itemBlocks = countBlocks(item);
    const lastPost = posts.at(-1);
    if (lastPost === undefined || blocks + itemBlocks > maxBlocks || lastPost.length === maxItems) {
      posts.push([item]);
      blocks = itemBlocks;
    } else {
      lastPost.push(item);
      blocks += itemBlocks;
    }
  }
  return posts;
}

const maxFiles = 10;

/**
 * Counts the blocks to reserve for an item. Includes a line per file for its downloads, which are shown later, but not
 * Take and Done: a post that becomes too large shows fewer files.
 */
export function countBlocks({ files: names, filesLeftOut }: InboxItem): number {
  const files = new Set(names).size;
  const notes = (files > maxFiles ? 1 : 0) + (filesLeftOut === undefined ? 0 : 1);
  // Title, times, buttons of the item, divider.
  return 4 + 2 * Math.min(files, maxFiles) + notes;
}
