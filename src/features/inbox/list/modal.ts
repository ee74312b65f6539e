import type { ModalView } from '@slack/types';
import { periodOf } from '../../common/search/form.ts';
import type { Actor, InboxItem } from '../../common/services.ts';
import type { SlackServices } from '../../common/slack-services.ts';
import { withDeskSwitch } from '../../settings/desks/fields.ts';
import { onlyChannelIn } from '../../settings/inbox-channels.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { filesOf } from '../items/entries.ts';
import { findItem } from '../items/operations.ts';
import { expectViewer } from '../items/permission.ts';
import { itemMatcher, type ShownPage } from '../items/search.ts';
import { itemsSeenBy } from '../items/seen.ts';
import { pollState } from '../poll/repository.ts';
import { hasWorkAnywhere, withWork } from '../work/checks.ts';
import { listWork, takenBy } from '../work/operations.ts';
import { filesOnPage, filesView, inboxView, itemsOnPage, type Notice } from './views.ts';

export async function inboxPage(
  services: SlackServices,
  actor: Actor,
  { page: requestedPage, isNew, work, search, from, to }: ShownPage,
  notice?: Notice,
): Promise<ModalView> {
  const { viewer, access, areUnknown } = await expectViewer(services, actor);
  const { settings, isAdmin } = access;
  const { store } = services;
  const repository = itemsSeenBy(store, viewer);
  const polls = await pollState(store.pool, viewer);
  const matches = itemMatcher(search, await periodOf(services.people, actor, { from, to }));
  const isShown = (item: InboxItem) => (isNew !== true || hasNewFiles(item)) && matches(item);
  const isFiltered = [isNew || undefined, search, from, to].some((criterion) => criterion !== undefined);
  const find = (page: number) =>
    work === undefined
      ? repository.page(page, itemsOnPage, isFiltered ? isShown : undefined)
      : listWork(services, settings, viewer, work, { page, size: itemsOnPage, matches: isShown });
  const requested = await find(requestedPage);
  const page = clampPage(requestedPage, requested.total, itemsOnPage);
  const { items, total, searched } = page === requestedPage ? requested : await find(page);
  const view = inboxView({
    items: items.map((item) => withWork(settings, item)),
    reader: actor.person,
    page,
    total,
    isNew,
    work,
    hasWork: hasWorkAnywhere(settings),
    hasTaken: (await takenBy(services, settings, viewer, 1)).items.length > 0,
    searched,
    search: { search, from, to },
    leftOut: isAdmin ? polls?.leftOut : undefined,
    areUnknown,
    unit: settings.expiryUnit,
    onlyChannel: onlyChannelIn(settings),
    isAdmin,
    asOf: polls?.lastSuccessAt,
    lastFailure: polls?.lastFailure,
    notice,
  });
  return withDeskSwitch(services, actor, view, 'inbox');
}

/** Whether there is a file that nobody has downloaded. Of a list that is too large to show, nobody has. */
function hasNewFiles(item: InboxItem): boolean {
  if (item.files.length === 0) return item.filesLeftOut !== undefined;
  const downloaded = new Set(item.downloads.map(({ file }) => file));
  return item.files.some((file) => !downloaded.has(file));
}

export async function filesPage(
  services: SlackServices,
  actor: Actor,
  id: string,
  requestedPage: number,
  notice?: Notice,
): Promise<ModalView> {
  const access = await expectAllowed(services, actor, 'download');
  const { settings, isAdmin } = access;
  const item = await findItem(services, actor, access, id);
  const page = clampPage(requestedPage, filesOf(item).length, filesOnPage);
  const onlyChannel = onlyChannelIn(settings);
  return filesView({ item, page, unit: settings.expiryUnit, onlyChannel, isAdmin, notice });
}

/** Rebuilds the page, with the result of a click or of a download. */
export function pageWith(services: SlackServices, actor: Actor, shownPage: ShownPage, notice: Notice) {
  const { item, page } = shownPage;
  return item === undefined
    ? inboxPage(services, actor, shownPage, notice)
    : filesPage(services, actor, item, page, notice);
}

/** The last page if the requested one no longer exists, because the list has become shorter. */
function clampPage(page: number, total: number, size: number): number {
  const last = Math.max(0, Math.ceil(total / size) - 1);
  return Math.min(page, last);
}
