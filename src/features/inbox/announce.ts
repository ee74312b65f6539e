import type pg from 'pg';
import { bounds } from '../../bounds.ts';
import { DroplineError, isDroplineError } from '../../errors.ts';
import { handlerOf, type JobHandler, jobKind } from '../../jobs/index.ts';
import { connectionOf } from '../connection.ts';
import { openRequests } from '../request/matching.ts';
import type { Services } from '../services.ts';
import { readSettings } from '../settings/stored.ts';
import { type Items, itemsOf } from './items.ts';
import { pollState } from './polls.ts';
import { byLocation, type Group } from './route.ts';

export const announcing = jobKind('announce', ['workspace', 'what'], { attempts: 50 });

/** More new items at once than this, for one place or in answer to one request, are one message. */
const mostMessages = 10;

/**
 * Places that are posted in at a time. Slack takes a message a second in each, so that one after the other would make
 * all wait for the slowest; with more, looking at each before a post (see posting.ts) would be more than Slack likes.
 */
const mostPlaces = 4;

export const announceQueue = (workspace: string) => `announce:${workspace}`;

/** Has a workspace's news announced, by one worker at a time: the queue's lock is what makes it once. */
export async function askToAnnounce(
  { queue }: Services,
  workspace: string,
  within: pg.ClientBase | undefined,
  what: 'baseline' | 'news',
): Promise<void> {
  const key = `announce ${what} ${workspace}`;
  await queue.add(announcing, { workspace, what }, { queue: announceQueue(workspace), key, within });
}

/** The same in a while; under a key of its own, so that it puts off nothing that is to be announced now. */
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
        const items = itemsOf(services.store, workspace, account);
        const posts = createPosts(services.timing.announceMs, async () => {
          await check();
          // Connected anew to the same account, it is the same inbox, and its news and summary are still to be told.
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
        // Whoever connects again has it read again, and what waits is announced then.
        if (!isDroplineError(error, 'not-connected')) throw error;
      }
    },
    async giveUp({ workspace }, error) {
      // They stay in the ledger as not announced, and the next news takes them along.
      services.log.error({ workspace, operation: 'announce', err: error }, 'inbox items could not be announced');
    },
  });
}

const leftOutOf = async ({ store }: Services, workspace: string): Promise<number> =>
  (await pollState(store.pool, workspace))?.leftOut ?? 0;

type Posts = ReturnType<typeof createPosts>;

/**
 * A post that cannot be made holds back no other. It fails the job in the end, so that it is tried again; where only its
 * place is at fault, which somebody must mend, it is tried again at an even pace.
 *
 * @param mostMs after which no more are made, but for the first
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
  /** In turn: the lock that is looked at has one connection. */
  const checkInTurn = () => {
    const mine = checking.then(check);
    checking = mine.catch(() => {});
    return mine;
  };
  return {
    isOver,
    /** Something is left for the next job. */
    skip,
    async make(post: () => Promise<void>): Promise<void> {
      if (isOver()) return skip();
      begun += 1;
      await checkInTurn();
      await post().catch((error: unknown) => failures.push(error));
    },
    /** What is to be done about the rest. With nothing but failures, going on at once would only repeat them. */
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
  await someAtATime([asked, ...unasked.map((group) => [group])], mostPlaces, async (line) => {
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

/** Ends when all have ended, also where one fails: whoever goes on after that would go on without the lock. */
async function someAtATime<T>(things: readonly T[], most: number, work: (thing: T) => Promise<void>): Promise<void> {
  const left = [...things];
  const worker = async () => {
    for (let thing = left.shift(); thing !== undefined; thing = left.shift()) await work(thing);
  };
  const ended = await Promise.allSettled(Array.from({ length: most }, worker));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

/** Files that came later, files that were taken, an item that is gone: the post says so. An item without a post of its own has none to change. */
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
