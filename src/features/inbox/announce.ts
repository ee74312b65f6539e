import type pg from 'pg';
import { isDroplineError } from '../../errors.ts';
import { handlerOf, type JobHandler, jobKind } from '../../jobs/index.ts';
import { connectionOf, expectSameConnection } from '../connection.ts';
import { belongingOf, openRequests } from '../request/matching.ts';
import type { Services } from '../services.ts';
import { type Items, itemsOf } from './items.ts';

export const announcing = jobKind('announce', ['workspace', 'what'], { attempts: 50 });

/** More new items at once than this are one message. */
const mostMessages = 10;

/** Has a workspace's news announced, by one worker at a time: the queue's lock is what makes it once. */
export async function askToAnnounce(
  { queue }: Services,
  workspace: string,
  within: pg.ClientBase,
  what: 'baseline' | 'news',
): Promise<void> {
  const key = `announce ${what} ${workspace}`;
  await queue.add(announcing, { workspace, what }, { queue: `announce:${workspace}`, key, within });
}

export function announceJob(services: Services): JobHandler {
  return handlerOf<{ workspace: string; what: string }>({
    kind: announcing,
    async run({ workspace, what }, { check }) {
      try {
        const connection = await connectionOf(services, workspace);
        const { account } = connection.exchange;
        const items = itemsOf(services.store, workspace, account);
        const posts = createPosts(async () => {
          await check();
          await expectSameConnection(services, workspace, connection);
        });
        if (what === 'baseline') {
          await posts.make(async () => services.poster.baseline(workspace, await items.countKnown()));
        } else {
          await announceNew(services, workspace, account, items, posts);
          await showChanges(services, workspace, items, posts);
        }
        posts.expectMade();
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

type Posts = ReturnType<typeof createPosts>;

/** A post that cannot be made holds back no other; it fails the job in the end, so that it is tried again. */
function createPosts(check: () => Promise<void>) {
  const failures: unknown[] = [];
  return {
    async make(post: () => Promise<void>): Promise<void> {
      await check();
      await post().catch((error: unknown) => failures.push(error));
    },
    expectMade(): void {
      if (failures.length > 0) throw failures[0];
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
  const { poster } = services;
  const requests = await openRequests(services, workspace, account);
  const waiting = (await items.waiting()).map((known) => ({
    known,
    belonging: belongingOf(known.item.sender, requests),
  }));
  const unasked = waiting.filter(({ belonging }) => belonging.kind === 'unasked').map(({ known }) => known);
  const areMany = unasked.length > mostMessages;
  for (const { known, belonging } of waiting) {
    if (areMany && belonging.kind === 'unasked') continue;
    await posts.make(async () => items.announced(known, await poster.item(workspace, known.item, belonging)));
  }
  if (!areMany) return;
  await posts.make(async () => {
    const all = unasked.map(({ item }) => item);
    await poster.many(workspace, all);
    await items.announcedTogether(unasked);
  });
}

/** Files that came later, files that were taken: the post says so. An item without a post of its own has none to change. */
async function showChanges(services: Services, workspace: string, items: Items, posts: Posts): Promise<void> {
  const changed = await items.changed();
  await items.shown(changed.filter(({ place }) => place === undefined));
  for (const known of changed) {
    const { item, place } = known;
    if (place === undefined) continue;
    await posts.make(async () => {
      await services.poster.changed(workspace, item, place);
      await items.shown([known]);
    });
  }
}
