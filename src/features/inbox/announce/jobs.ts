import type pg from 'pg';
import { bounds } from '../../../bounds.ts';
import { DroplineError, isDroplineError } from '../../../errors.ts';
import { handlerOf, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { connectionOf } from '../../common/connection.ts';
import type { RequestMatch, Services } from '../../common/services.ts';
import { readSettings, type Settings } from '../../settings/repository.ts';
import { type OpenRequest, openRequests, requestMatchOf } from '../../transfers/kinds/request/operations.ts';
import { type Items, itemsIn, type KnownItem } from '../items/repository.ts';
import { pollState } from '../poll/repository.ts';

export const announceKind = jobKind('announce', ['workspace', 'what'], { attempts: 50 });

/** If there are more new items than this for one location or request, one message announces them all. */
const maxMessages = 10;

/**
 * Number of locations to post in at a time. Slack allows one message a second in each, so posting in several is faster.
 * With more than four, the check before each post (see posting.ts) would exceed Slack's rate limit.
 */
const maxLocations = 4;

export const announceQueue = (workspace: string) => `announce:${workspace}`;

/** Adds a job that announces new items. The queue's lock allows one worker at a time, so each item is posted once. */
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

export function announceJob(services: Services): JobHandler {
  const { noChannelPauseMs } = services.timing;
  return handlerOf<{ workspace: string; what: string }>({
    kind: announceKind,
    async run({ workspace, what }, { check }) {
      try {
        const { account } = (await connectionOf(services, workspace)).exchange;
        const items = itemsIn(services.store, workspace, account);
        const run = createPostRun(services.timing.announceMs, async () => {
          await check();
          // After a reconnect to the same account, the inbox is the same, so continue.
          const now = await connectionOf(services, workspace);
          if (now.exchange.account !== account)
            throw new DroplineError('not-connected', 'Another account is connected now.');
        });
        if (what === 'baseline') {
          const leftOut = await leftOutOf(services, workspace);
          await run.make(async () => services.announcer.baseline(workspace, await items.countKnown(), leftOut));
        } else {
          await announceNew(services, workspace, account, items, run);
          await showChanges(services, workspace, items, run);
        }
        const rest = run.finish();
        if (rest === 'next') await queueAnnouncement(services, workspace, undefined, 'news');
        if (rest === 'later') await queueLaterAnnouncement(services, workspace, noChannelPauseMs, { what });
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

type PostRun = ReturnType<typeof createPostRun>;

/**
 * Makes posts until the time limit. After a failed post, continues with the others and fails the job at the end, so
 * that it is retried. If posts failed only because of their location, which a person must fix, a delayed job retries.
 *
 * @param limitMs time limit after which no more posts start, except the first
 */
function createPostRun(limitMs: number, check: () => Promise<void>) {
  const failures: unknown[] = [];
  const end = performance.now() + limitMs;
  let started = 0;
  let hasRest = false;
  const isTimeUp = () => started > 0 && performance.now() >= end;
  const skip = () => {
    hasRest = true;
  };
  let checking = Promise.resolve();
  /** Runs one check at a time, because the lock has only one connection. */
  const checkSerially = () => {
    const current = checking.then(check);
    checking = current.catch(() => {});
    return current;
  };
  return {
    isTimeUp,
    /** Leaves the rest to the next job. */
    skip,
    async make(post: () => Promise<void>): Promise<void> {
      if (isTimeUp()) return skip();
      started += 1;
      await checkSerially();
      await post().catch((error: unknown) => failures.push(error));
    },
    /** When to continue with the rest. If every post failed, continuing at once would only repeat the failures. */
    finish(): 'none' | 'next' | 'later' {
      const failure = failures.find((failure) => !isDroplineError(failure, 'no-place'));
      if (failure !== undefined) throw failure;
      if (hasRest && (started === 0 || started > failures.length)) return 'next';
      return failures.length === 0 ? 'none' : 'later';
    },
  };
}

async function announceNew(
  services: Services,
  workspace: string,
  account: string,
  items: Items,
  run: PostRun,
): Promise<void> {
  const requests = await openRequests(services, workspace, account);
  const { routes } = await readSettings(services, workspace);
  let waiting = await items.waiting();
  while (waiting.length > 0 && !run.isTimeUp()) {
    await announceGroups(services, workspace, items, run, groupByLocation(routes, requests, waiting));
    waiting = await items.waiting(waiting.at(-1));
  }
  if (waiting.length > 0) run.skip();
}

async function announceGroups(
  services: Services,
  workspace: string,
  items: Items,
  run: PostRun,
  groups: Group[],
): Promise<void> {
  const { announcer } = services;
  const isTooMany = (group: Group) => group.items.length > maxMessages;
  const individual = groups.filter((group) => !isTooMany(group));
  const requested = individual.filter(({ requestMatch }) => requestMatch.kind !== 'unrequested');
  const unrequested = individual.filter(({ requestMatch }) => requestMatch.kind === 'unrequested');
  await runConcurrently([requested, ...unrequested.map((group) => [group])], maxLocations, async (queue) => {
    for (const { requestMatch, items: newItems } of queue) {
      for (const known of newItems) {
        await run.make(async () =>
          items.markAnnounced(known, await announcer.item(workspace, known.item, requestMatch)),
        );
      }
    }
  });
  const leftOut = await leftOutOf(services, workspace);
  for (const { requestMatch, items: many } of groups.filter(isTooMany)) {
    await run.make(async () => {
      const all = many.map(({ item }) => item);
      await announcer.many(workspace, all, requestMatch, leftOut);
      await items.markAnnouncedTogether(many);
    });
  }
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

/** Updates the posts of items that have changed or are gone. Items that share a post are only marked as shown. */
async function showChanges(services: Services, workspace: string, items: Items, run: PostRun): Promise<void> {
  const changed = await items.changed(services.timing.gonePauseMs);
  if (changed.length === bounds.inboxItems) run.skip();
  await items.markShown(changed.filter(({ location }) => location === undefined));
  for (const known of changed) {
    const { item, location } = known;
    if (location === undefined) continue;
    await run.make(async () => {
      await services.announcer.changed(workspace, item, location);
      await items.markShown([known]);
    });
  }
}

type Routes = Settings['routes'];

/** The channel that an admin has set for this sender's address or domain. The first match wins. */
export function routeFor(routes: Routes, sender = ''): string | undefined {
  const address = sender.trim().toLowerCase();
  const domain = address.includes('@') ? address.split('@').at(-1) : undefined;
  return routes.find(({ from }) => {
    const pattern = from.trim().toLowerCase().replace(/^@/, '');
    return pattern !== '' && (pattern === address || pattern === domain);
  })?.channel;
}

export interface Group {
  requestMatch: RequestMatch;
  items: KnownItem[];
}

/** Groups items by location and matching requests. Keeps their order. */
export function groupByLocation(
  routes: Routes,
  requests: readonly OpenRequest[],
  items: readonly KnownItem[],
): Group[] {
  const groups = new Map<string, Group>();
  for (const known of items) {
    const requestMatch = requestMatchOf(known.item, requests);
    const key = JSON.stringify([routeFor(routes, known.item.sender), ...requestMatch.requests.map(({ id }) => id)]);
    const group = groups.get(key) ?? { requestMatch, items: [] };
    group.items.push(known);
    groups.set(key, group);
  }
  return [...groups.values()];
}
