import type pg from 'pg';
import { isDroplineError } from '../../errors.ts';
import { handlerOf, type JobHandler, jobKind } from '../../jobs/index.ts';
import { connectionOf } from '../connection.ts';
import { belongingOf, openRequests } from '../request/matching.ts';
import type { Services } from '../services.ts';
import { itemsOf, type KnownItem } from './items.ts';

export const announcing = jobKind('announce', ['workspace', 'what'], { attempts: 50 });

/** More new items at once than this are one message. */
const mostMessages = 10;
const batch = 1_000;

/** Has a workspace's news announced, by one worker at a time: the queue's lock is what makes it once. */
export async function askToAnnounce({ queue }: Services, workspace: string, within: pg.ClientBase, isBaseline = false) {
  const what = isBaseline ? 'baseline' : 'news';
  const key = `announce ${what} ${workspace}`;
  await queue.add(announcing, { workspace, what }, { queue: `announce:${workspace}`, key, within });
}

export function announceJob(services: Services): JobHandler {
  return handlerOf<{ workspace: string; what: string }>({
    kind: announcing,
    async run({ workspace, what }, { check }) {
      try {
        const { account } = (await connectionOf(services, workspace)).exchange;
        const items = itemsOf(services.store, workspace, account);
        if (what === 'baseline') {
          await check();
          await services.poster.baseline(workspace, (await items.list(batch, 0)).length);
          return;
        }
        await announceNew(services, workspace, items, check);
        await showChanges(services, workspace, items, check);
      } catch (error) {
        if (!isDroplineError(error, 'not-connected')) throw error;
      }
    },
    async giveUp({ workspace }, error) {
      // They stay in the ledger as not announced, and the next news takes them along.
      services.log.error({ workspace, operation: 'announce', err: error }, 'inbox items could not be announced');
    },
  });
}

type Items = ReturnType<typeof itemsOf>;

async function announceNew(services: Services, workspace: string, items: Items, check: () => Promise<void>) {
  const { poster } = services;
  const waiting = await items.waiting(batch);
  const requests = await openRequests(services, workspace);
  const [replies, unasked] = [[] as KnownItem[], [] as KnownItem[]];
  for (const known of waiting) {
    const { kind } = belongingOf(known.item.sender, requests);
    (kind === 'unasked' ? unasked : replies).push(known);
  }
  const areMany = unasked.length > mostMessages;
  for (const known of areMany ? replies : waiting) {
    await check();
    const place = await poster.item(workspace, known.item, belongingOf(known.item.sender, requests));
    await items.announced([known], place);
  }
  if (areMany) {
    await check();
    const place = await poster.many(
      workspace,
      unasked.map(({ item }) => item),
    );
    await items.announced(unasked, place);
  }
  if (waiting.length === batch) await announceNew(services, workspace, items, check);
}

/** Files that came later, files that were taken: the post says so. An item without a post of its own has none to change. */
async function showChanges(services: Services, workspace: string, items: Items, check: () => Promise<void>) {
  for (const { item, place, changedAt } of await items.changed(batch)) {
    await check();
    if (place !== undefined) await services.poster.changed(workspace, item, place);
    if (changedAt !== undefined) await items.shown(item.url, changedAt);
  }
}
