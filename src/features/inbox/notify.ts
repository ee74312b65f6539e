import type { ModalView } from '@slack/types';
import type { Piece } from '../../slack/blocks.ts';
import { withFieldIds } from '../../slack/field-ids.ts';
import { updateView } from '../../slack/interaction.ts';
import { inTransaction } from '../../store/index.ts';
import { connectionOf } from '../common/connection.ts';
import { periodOf } from '../common/search/form.ts';
import type { Actor, InboxItem } from '../common/services.ts';
import type { SlackServices } from '../common/ui-services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { type EndedBatch, endInBatch, setDialog } from './batch/repository.ts';
import { batchEndText } from './batch/views.ts';
import { type Dialog, type DownloadOrder, downloadOrders, findItem, orderTtlMs } from './download/order.ts';
import { deliveredText, undeliveredText } from './download/views.ts';
import { itemsIn, type StoredItem } from './items/repository.ts';
import { type ItemSearch, itemMatcher } from './items/search.ts';
import { filesOf } from './items/views.ts';
import { isDownloaded } from './operations.ts';
import { pollState } from './poll/repository.ts';
import { filesOnPage, filesView, inboxView, itemsOnPage } from './views.ts';
import { withWork } from './work/checks.ts';
import { listWork, takenBy } from './work/operations.ts';
import type { WorkFilter } from './work/repository.ts';

export async function inboxPage(
  services: SlackServices,
  actor: Actor,
  { page: requestedPage, isNew, work, search, from, to }: ShownPage,
  notice?: string | Piece[],
): Promise<ModalView> {
  const { settings, isAdmin } = await expectAllowed(services, actor, 'download');
  const { account } = (await connectionOf(services, actor.workspace)).exchange;
  const { store } = services;
  const repository = itemsIn(store, actor.workspace, account);
  const polls = await pollState(store.pool, actor.workspace);
  const matches = itemMatcher(search, await periodOf(services.people, actor, { from, to }));
  const isShown = ({ item }: StoredItem) => (isNew !== true || hasNewFiles(item)) && matches(item);
  const isFiltered = [isNew || undefined, search, from, to].some((criterion) => criterion !== undefined);
  const find = (page: number) =>
    work === undefined
      ? repository.page(page, itemsOnPage, isFiltered ? isShown : undefined)
      : listWork(services, settings, account, actor, work, { page, size: itemsOnPage, matches: isShown });
  const requested = await find(requestedPage);
  const page = clampPage(requestedPage, requested.total, itemsOnPage);
  const { items, total, searched } = page === requestedPage ? requested : await find(page);
  return inboxView({
    items: items.map((known): InboxItem => withWork(settings, known)),
    reader: actor.person,
    page,
    total,
    isNew,
    work,
    hasWork: settings.workChannels.length > 0,
    hasTaken: (await takenBy(services, settings, account, actor, 1)).items.length > 0,
    searched,
    search: { search, from, to },
    leftOut: polls?.leftOut,
    unit: settings.expiry.unit,
    isAdmin,
    asOf: polls?.lastSuccessAt,
    lastFailure: polls?.lastFailure,
    notice,
  });
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
  notice?: string,
): Promise<ModalView> {
  const { settings, isAdmin } = await expectAllowed(services, actor, 'download');
  const { item } = await findItem(services, actor, id);
  const page = clampPage(requestedPage, filesOf(item).length, filesOnPage);
  return filesView({ item, page, unit: settings.expiry.unit, isAdmin, notice });
}

export interface ShownPage extends ItemSearch {
  page: number;
  /** The item whose files are shown; undefined for the inbox. */
  item?: string | undefined;
  /** The inbox shows only items with files that nobody has downloaded. */
  isNew?: boolean | undefined;
  /** The inbox shows only items in this state. */
  work?: WorkFilter | undefined;
}

/** Rebuilds the page, with the result of a click or of a download. */
export function pageWith(services: SlackServices, actor: Actor, shownPage: ShownPage, notice: string) {
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

/** Makes the modal in which a person clicked Download show how the download ends. */
export async function followInDialog(
  services: SlackServices,
  actor: Actor,
  { id, url, name }: { id: string; url: string; name: string },
  dialog: Dialog,
): Promise<void> {
  const orders = services.store.collection(downloadOrders);
  const addDialog = (order: DownloadOrder | undefined) => order && { ...order, dialog };
  if ((await orders.update(actor.workspace, addDialog, { name: id, ttlMs: orderTtlMs })) !== undefined) return;
  // The download has already ended.
  await showEnd(services, actor, endText(name, await isDownloaded(services, actor, { url, name })), dialog);
}

/** Makes the modal in which a person clicked Download all show when the downloads of all files have ended. */
export async function followBatchInDialog(
  services: SlackServices,
  actor: Actor,
  id: string,
  dialog: Dialog,
): Promise<void> {
  await showBatchEnd(services, actor, await setDialog(services.store, { workspace: actor.workspace, id }, dialog));
}

async function showBatchEnd(services: SlackServices, actor: Actor, ended: EndedBatch | undefined): Promise<void> {
  if (ended !== undefined) await showEnd(services, actor, batchEndText(ended), ended.dialog);
}

/** Ends an order, and shows that in the modal where the person clicked. */
export async function endOrder(
  services: SlackServices,
  workspace: string,
  id: string,
  isDelivered: boolean,
): Promise<void> {
  const { store } = services;
  const { order, ended } = await inTransaction(store.pool, async (client) => {
    const order = await store.collection(downloadOrders).take(workspace, id, client);
    if (order?.batch === undefined) return { order };
    return { order, ended: await endInBatch(store, { workspace, id: order.batch }, id, isDelivered, client) };
  });
  if (order === undefined) return;
  const actor = { workspace, person: order.person };
  if (order.dialog !== undefined) await showEnd(services, actor, endText(order.name, isDelivered), order.dialog);
  await showBatchEnd(services, actor, ended);
}

const endText = (name: string, isDelivered: boolean) => (isDelivered ? deliveredText(name) : undeliveredText(name));

/**
 * Shows the end of a download in the modal, unless the modal was closed or shows something else now. A failure is only
 * logged, because the download has ended.
 */
async function showEnd(
  services: SlackServices,
  actor: Actor,
  notice: string,
  { view: id, hash, ...page }: Dialog,
): Promise<void> {
  const show = async () => {
    const client = await services.slack.clientOf(actor.workspace);
    await updateView(client, { id, hash }, withFieldIds(await pageWith(services, actor, page, notice)));
  };
  await show().catch((error: unknown) =>
    services.log.warn({ ...actor, operation: 'download', err: error }, 'could not show the end of a download'),
  );
}
