import { bounds } from '../../../lib/bounds.ts';
import { firstOf, inTransaction } from '../../../store/index.ts';
import { audited } from '../../common/audited.ts';
import { deskOf, idsOfActor } from '../../common/connection.ts';
import type { Actor, InboxItem, ItemWork, Services, WorkMark, WorkNotice } from '../../common/services.ts';
import { expectAllowed } from '../../settings/permission.ts';
import type { Settings } from '../../settings/repository.ts';
import { fileGone, filesInfected, takeAndDoneOff } from '../items/errors.ts';
import { queueAnnouncement } from '../items/jobs.ts';
import { findItem } from '../items/operations.ts';
import { findFirst, type ItemPage, type ItemTest, pageOf, type WorkFilter } from '../items/search.ts';
import type { Viewer } from '../items/seen.ts';
import { areAllFilesInfected, hasWork, hasWorkAnywhere, withWork } from './checks.ts';
import { queueWorkChanged } from './jobs.ts';
import { workIn, workSeenBy } from './repository.ts';

/** The item after a click. `isChanged`: false if the click came too late or was repeated. */
export interface WorkResult {
  item: InboxItem;
  isChanged: boolean;
}

/** Takes an open item. If someone has taken it or marked it as done, nothing changes and the result shows who. */
export const takeItem = (services: Services, actor: Actor, id: string): Promise<WorkResult> =>
  changeWork(services, actor, id, {
    action: 'take',
    what: 'taken',
    next: ({ taken, done }, now) => (taken === undefined && done === undefined ? { taken: now } : undefined),
    isTaking: true,
  });

/** Takes an item from the holder that the person was shown. */
export const takeOverItem = (services: Services, actor: Actor, id: string, holder: string): Promise<WorkResult> =>
  changeWork(services, actor, id, {
    action: 'take over',
    what: 'taken',
    next: ({ taken, done }, now) =>
      taken?.person === holder && holder !== actor.person && done === undefined ? { taken: now } : undefined,
    isTaking: true,
  });

/** Marks an item as done, whether someone has taken it or not. */
export const finishItem = (services: Services, actor: Actor, id: string): Promise<WorkResult> =>
  changeWork(services, actor, id, {
    action: 'mark done',
    what: 'done',
    next: ({ taken, done }, now) => (done === undefined ? { taken, done: now } : undefined),
  });

/** Undoes Done. The person who had taken the item has it again. */
export const reopenItem = (services: Services, actor: Actor, id: string): Promise<WorkResult> =>
  changeWork(services, actor, id, {
    action: 'reopen',
    what: 'reopened',
    next: ({ taken, done }) => (done === undefined ? undefined : { taken }),
  });

/** What a click on Take, Take over, Done or Reopen does. */
interface WorkChange {
  /** The name of the action in the audit log. */
  action: 'take' | 'take over' | 'mark done' | 'reopen';
  /** The notice to another person who has the item. */
  what: WorkNotice;
  /** The new state; undefined if nothing changes. */
  next(work: ItemWork, now: WorkMark): ItemWork | undefined;
  isTaking?: boolean;
}

/** Changes the item, adds the audit entry and queues the jobs that show the change, in one transaction. */
function changeWork(services: Services, actor: Actor, id: string, click: WorkChange): Promise<WorkResult> {
  const { store, metrics } = services;
  return audited(services, actor, click.action, async ({ addDetails, record, skipEntry }) => {
    const access = await expectAllowed(services, actor, 'download');
    const { settings } = access;
    const desk = await deskOf(services, actor);
    // Before the transaction, because Slack can be slow. The item can be moved until then, which ends in a second check.
    const { belongsTo } = await findItem(services, actor, access, id);
    const result = await inTransaction(store.pool, async (client) => {
      const locked = await workIn(store, desk.workspace, desk.account).lock(client, id);
      const item = expectWork(settings, String(locked?.belongsTo) === String(belongsTo) ? locked : undefined);
      const details = detailsOf(item, actor.person);
      addDetails(details);
      if (click.isTaking === true) expectTakeable(item);
      const work = click.next(item.work ?? {}, { person: actor.person, at: new Date() });
      if (work === undefined) return { item: withWork(settings, item), isChanged: false };
      await workIn(store, desk.workspace, desk.account).save(client, item.url, work);
      await record(client);
      await queueAnnouncement(services, desk, client, 'news');
      if (details.holder !== undefined) {
        const holder = idsOfActor({ ...desk, person: details.holder.user });
        await queueWorkChanged(services, { ...holder, item: id, by: actor.person, what: click.what }, client);
      }
      return { item: { ...item, work }, isChanged: true };
    });
    if (!result.isChanged) skipEntry();
    const outcome = result.isChanged ? 'done' : 'unchanged';
    metrics?.count('dropline_inbox_work_total', { action: click.action, outcome });
    return result;
  });
}

/** The details of the audit entry. `holder`: another person who had taken the item. */
function detailsOf({ sender, files, work }: InboxItem, person: string) {
  const holder = work?.taken?.person;
  return {
    sender,
    files: firstOf(
      files.map((name) => ({ name })),
      10,
    ),
    holder: holder === undefined || holder === person ? undefined : { user: holder },
  };
}

/** Throws if the item isn't in this workspace, or if Take and Done are off for it. */
function expectWork(settings: Settings, item: InboxItem | undefined): InboxItem {
  if (item === undefined) throw fileGone();
  if (!hasWork(settings, item)) throw takeAndDoneOff();
  return item;
}

function expectTakeable(item: InboxItem): void {
  if (item.isGone) throw fileGone();
  if (areAllFilesInfected(item)) throw filesInfected();
}

/** An item that a person wants to take from someone else. */
export async function readItemToTakeOver(services: Services, actor: Actor, id: string): Promise<InboxItem> {
  const access = await expectAllowed(services, actor, 'download');
  const { settings } = access;
  const item = expectWork(settings, await findItem(services, actor, access, id));
  expectTakeable(item);
  return withWork(settings, item);
}

/** A page of the items of channels with Take and Done that match the filter, newest first. */
export async function listWork(
  { store }: Pick<Services, 'store'>,
  settings: Settings,
  viewer: Viewer,
  filter: WorkFilter,
  { page, size, matches }: { page: number; size: number; matches: ItemTest },
): Promise<ItemPage> {
  if (!hasWorkAnywhere(settings)) return { items: [], total: 0 };
  const isShown = (item: InboxItem) => hasWork(settings, item) && matches(item);
  return pageOf(workSeenBy(store, viewer).search(filter), page, size, isShown);
}

export interface TakenItems {
  items: InboxItem[];
  /** How many more the person has taken. */
  more: number;
}

/** The latest items that the person has taken and not marked as done. */
export async function takenBy(
  { store }: Pick<Services, 'store'>,
  settings: Settings,
  viewer: Viewer,
  limit: number = bounds.takenOnHome,
): Promise<TakenItems> {
  if (!hasWorkAnywhere(settings)) return { items: [], more: 0 };
  const work = workSeenBy(store, viewer);
  const { items, searched } = await findFirst(work.search('mine'), limit, (item) => hasWork(settings, item));
  const areAll = items.length < limit && searched === undefined;
  // Includes items of channels where Take and Done are off now: to leave them out, all items would have to be read.
  const total = areAll ? items.length : await work.countTaken();
  return { items, more: Math.max(0, total - items.length) };
}
