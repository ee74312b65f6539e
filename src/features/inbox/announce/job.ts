import type pg from 'pg';
import { bounds } from '../../../bounds.ts';
import { DroplineError, isDroplineError } from '../../../errors.ts';
import { handlerOf, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { connectionOf } from '../../common/connection/connection.ts';
import type { Services } from '../../common/services.ts';
import { readSettings } from '../../settings/stored.ts';
import { openRequests } from '../../transfers/kinds/request/matching.ts';
import { type Items, itemsIn } from '../items/repository.ts';
import { pollState } from '../poll/repository.ts';
import { byLocation, type Group } from './route.ts';

export const announcing = jobKind('announce', ['workspace', 'what'], { attempts: 50 });

/** If more new items than this come at once for one location or request, they go into one message. */
const mostMessages = 10;

/**
 * Number of locations to post in at a time. Slack allows one message a second in each, so with one at a time all would
 * wait for the slowest. With more, the check before each post (see posting.ts) would exceed Slack's rate limit.
 */
const mostLocations = 4;

export const announceQueue = (workspace: string) => `announce:${workspace}`;

/** Adds a job that announces a workspace's news. The queue's lock allows one worker at a time, so items post once. */
export async function askToAnnounce(
  { queue }: Services,
  workspace: string,
  within: pg.ClientBase | undefined,
  what: 'baseline' | 'news',
): Promise<void> {
  const key = `announce ${what} ${workspace}`;
  await queue.add(announcing, { workspace, what }, { queue: announceQueue(workspace), key, within });
}

/** The same after a delay. Has its own key, so that it doesn't delay what is announced now. */
export async function askToAnnounceLater(
  { queue }: Pick<Services, 'queue'>,
  workspace: string,
  afterMs: number,
  { what = 'news', within }: { what?: string; within?: pg.ClientBase } = {},
): Promise<void> {
  const key = `announce ${what} later ${workspace}`;
  const runAt = new Date(Date.now() + afterMs);
  await queue.add(announcing, { workspace, what }, { queue: announceQueue(workspace), key, runAt, within });
}

export function announceJob(services: Services): JobHandler {
  const { noChannelPauseMs } = services.timing;
  return handlerOf<{ workspace: string; what: string }>({
    kind: announcing,
    async run({ workspace, what }, { check }) {
      try {
        const { account } = (await connectionOf(services, workspace)).exchange;
        const items = itemsIn(services.store, workspace, account);
        const posts = createPosts(services.timing.announceMs, async () => {
          await check();
          // A reconnect to the same account is still the same inbox: its news and summary must be announced.
          const now = await connectionOf(services, workspace);
          if (now.exchange.account !== account) throw new DroplineError('not-connected', 'It is another account now.');
        });
        if (what === 'baseline') {
          const leftOut = await leftOutOf(services, workspace);
          await posts.make(async () => services.announcer.baseline(workspace, await items.countKnown(), leftOut));
        } else {
          await announceNew(services, workspace, account, items, posts);
          await showChanges(services, workspace, items, posts);
        }
        const rest = posts.expectMade();
        if (rest === 'next') await askToAnnounce(services, workspace, undefined, 'news');
        if (rest === 'later') await askToAnnounceLater(services, workspace, noChannelPauseMs, { what });
      } catch (error) {
        // A reconnect reads the inbox again and announces what is waiting.
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

type Posts = ReturnType<typeof createPosts>;

/**
 * A failed post doesn't hold back the others. It fails the job at the end, so that it is retried. If only its location
 * is at fault, which a person must fix, it is retried at a fixed interval.
 *
 * @param mostMs time limit after which no more posts start, except the first
 */
function createPosts(mostMs: number, check: () => Promise<void>) {
  const failures: unknown[] = [];
  const end = performance.now() + mostMs;
  let begun = 0;
  let isMore = false;
  const isOver = () => begun > 0 && performance.now() >= end;
  const skip = () => {
    isMore = true;
  };
  let checking = Promise.resolve();
  /** One check at a time: the lock has only one connection. */
  const checkInTurn = () => {
    const mine = checking.then(check);
    checking = mine.catch(() => {});
    return mine;
  };
  return {
    isOver,
    /** Leaves something for the next job. */
    skip,
    async make(post: () => Promise<void>): Promise<void> {
      if (isOver()) return skip();
      begun += 1;
      await checkInTurn();
      await post().catch((error: unknown) => failures.push(error));
    },
    /** What to do about the rest. If every post failed, continuing at once would only repeat the failures. */
    expectMade(): 'none' | 'next' | 'later' {
      const own = failures.find((failure) => !isDroplineError(failure, 'no-place'));
      if (own !== undefined) throw own;
      if (isMore && (begun === 0 || begun > failures.length)) return 'next';
      return failures.length === 0 ? 'none' : 'later';
    },
  };
}

async function announceNew(
  services: Services,
  workspace: string,
  account: string,
  items: Items,
  posts: Posts,
): Promise<void> {
  const requests = await openRequests(services, workspace, account);
  const { routes } = await readSettings(services, workspace);
  let waiting = await items.waiting();
  while (waiting.length > 0 && !posts.isOver()) {
    await announceGroups(services, workspace, items, posts, byLocation(routes, requests, waiting));
    waiting = await items.waiting(waiting.at(-1));
  }
  if (waiting.length > 0) posts.skip();
}

async function announceGroups(
  services: Services,
  workspace: string,
  items: Items,
  posts: Posts,
  groups: Group[],
): Promise<void> {
  const { announcer } = services;
  const isCrowd = (group: Group) => group.items.length > mostMessages;
  const singly = groups.filter((group) => !isCrowd(group));
  const asked = singly.filter(({ belonging }) => belonging.kind !== 'unasked');
  const unasked = singly.filter(({ belonging }) => belonging.kind === 'unasked');
  await someAtATime([asked, ...unasked.map((group) => [group])], mostLocations, async (line) => {
    for (const { belonging, items: some } of line) {
      for (const known of some) {
        await posts.make(async () => items.announced(known, await announcer.item(workspace, known.item, belonging)));
      }
    }
  });
  const leftOut = await leftOutOf(services, workspace);
  for (const { belonging, items: crowd } of groups.filter(isCrowd)) {
    await posts.make(async () => {
      const all = crowd.map(({ item }) => item);
      await announcer.many(workspace, all, belonging, leftOut);
      await items.announcedTogether(crowd);
    });
  }
}

/** Ends when all tasks have ended, even if one fails: a task that went on after that would run without the lock. */
async function someAtATime<T>(things: readonly T[], most: number, work: (thing: T) => Promise<void>): Promise<void> {
  const left = [...things];
  const worker = async () => {
    for (let thing = left.shift(); thing !== undefined; thing = left.shift()) await work(thing);
  };
  const ended = await Promise.allSettled(Array.from({ length: most }, worker));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

/** Updates posts after new files, downloads or an item's end. Items that were announced together have no own post. */
async function showChanges(services: Services, workspace: string, items: Items, posts: Posts): Promise<void> {
  const changed = await items.changed(services.timing.gonePauseMs);
  if (changed.length === bounds.inboxItems) posts.skip();
  await items.shown(changed.filter(({ place: location }) => location === undefined));
  for (const known of changed) {
    const { item, place: location } = known;
    if (location === undefined) continue;
    await posts.make(async () => {
      await services.announcer.changed(workspace, item, location);
      await items.shown([known]);
    });
  }
}
