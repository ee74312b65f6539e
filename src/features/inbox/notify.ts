import type { ModalView } from '@slack/types';
import { bounds } from '../../bounds.ts';
import { updateView } from '../../slack/interaction.ts';
import { connectionOf } from '../common/connection.ts';
import type { Actor } from '../common/services.ts';
import type { SlackServices } from '../common/ui-services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { type DownloadOrder, downloadOrders, findItem, orderTtlMs } from './download/order.ts';
import { deliveredText, undeliveredText } from './download/views.ts';
import { itemsIn, type KnownItem } from './items/repository.ts';
import { filesOf } from './items/views.ts';
import { pollState } from './poll/repository.ts';
import { filesOnPage, filesView, inboxView, itemsOnPage } from './views.ts';

export async function inboxPage(
  services: SlackServices,
  actor: Actor,
  requestedPage: number,
  { isNew, notice }: { isNew?: boolean | undefined; notice?: string | undefined } = {},
): Promise<ModalView> {
  const { settings } = await expectAllowed(services, actor, 'download');
  const { account } = (await connectionOf(services, actor.workspace)).exchange;
  const { store } = services;
  const repository = itemsIn(store, actor.workspace, account);
  const polls = await pollState(store.pool, actor.workspace);
  const filtered = isNew ? (await repository.list(bounds.inboxItems, 0)).filter(hasNewFiles) : undefined;
  const total = filtered?.length ?? (await repository.countPresent());
  const page = clampPage(requestedPage, total, itemsOnPage);
  const start = page * itemsOnPage;
  const rows = filtered?.slice(start, start + itemsOnPage) ?? (await repository.list(itemsOnPage, start));
  return inboxView({
    items: rows.map(({ item }) => item),
    page,
    total,
    isNew,
    leftOut: polls?.leftOut,
    unit: settings.ttl.unit,
    asOf: polls?.lastSuccessAt,
    lastFailure: polls?.lastFailure,
    notice,
  });
}

/** Whether nobody has downloaded one of the files. */
function hasNewFiles({ item }: KnownItem): boolean {
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
  const { settings } = await expectAllowed(services, actor, 'download');
  const { item } = await findItem(services, actor, id);
  const page = clampPage(requestedPage, filesOf(item).length, filesOnPage);
  return filesView({ item, page, unit: settings.ttl.unit, notice });
}

export interface ShownPage {
  page: number;
  /** The item whose files are shown; undefined for the inbox. */
  item?: string | undefined;
  /** The inbox shows only items with files that nobody has downloaded. */
  isNew?: boolean | undefined;
}

/** The page again, with the result of a click or of a download. */
export function pageWith(services: SlackServices, actor: Actor, { page, item, isNew }: ShownPage, notice: string) {
  return item === undefined
    ? inboxPage(services, actor, page, { isNew, notice })
    : filesPage(services, actor, item, page, notice);
}

/** The last page if the requested one is gone, because the list has become shorter. */
function clampPage(page: number, total: number, size: number): number {
  const last = Math.max(0, Math.ceil(total / size) - 1);
  return Math.min(page, last);
}

type Dialog = NonNullable<DownloadOrder['dialog']>;

/** Lets the modal in which a person clicked Download show how the download ends. */
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
  const { account } = (await connectionOf(services, actor.workspace)).exchange;
  const { item } = (await itemsIn(services.store, actor.workspace, account).find(url)) ?? {};
  const isDelivered = item?.downloads.some(({ person, file }) => person === actor.person && file === name) ?? false;
  await showEnd(services, actor, name, dialog, isDelivered);
}

/** Ends an order, and shows that in the modal where the person clicked. */
export async function endOrder(
  services: SlackServices,
  workspace: string,
  id: string,
  isDelivered: boolean,
): Promise<void> {
  const order = await services.store.collection(downloadOrders).take(workspace, id);
  if (order?.dialog === undefined) return;
  await showEnd(services, { workspace, person: order.person }, order.name, order.dialog, isDelivered);
}

/** Leaves a modal alone that was closed or shows something else now. Only logs failures: the download has ended. */
async function showEnd(
  services: SlackServices,
  actor: Actor,
  name: string,
  { view: id, hash, ...page }: Dialog,
  isDelivered: boolean,
): Promise<void> {
  const show = async () => {
    const notice = isDelivered ? deliveredText(name) : undeliveredText(name);
    const client = await services.slack.clientOf(actor.workspace);
    await updateView(client, { id, hash }, await pageWith(services, actor, page, notice));
  };
  await show().catch((error: unknown) =>
    services.log.warn({ ...actor, operation: 'download', err: error }, 'could not show the end of a download'),
  );
}
