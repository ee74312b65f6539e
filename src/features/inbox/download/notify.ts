import { stamped } from '../../../slack/desk-key.ts';
import { withFieldIds } from '../../../slack/field-ids.ts';
import { updateView } from '../../../slack/interaction.ts';
import { inTransaction } from '../../../store/index.ts';
import type { Actor } from '../../common/services.ts';
import type { SlackServices } from '../../common/slack-services.ts';
import { deskKeyOf } from '../../settings/membership.ts';
import { pageWith } from '../list/modal.ts';
import {
  type Dialog,
  type DownloadOrder,
  downloadOrders,
  type EndedBatch,
  endInBatch,
  orderTtlMs,
  setDialog,
} from '../orders/repository.ts';
import { isDownloaded } from './operations.ts';
import { batchEndText, deliveredText, undeliveredText } from './views.ts';

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
  const actor = { workspace, account: order.account, person: order.person };
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
    const content = withFieldIds(await pageWith(services, actor, page, notice));
    await updateView(client, { id, hash }, stamped(content, await deskKeyOf(services, actor)));
  };
  await show().catch((error: unknown) =>
    services.log.warn({ ...actor, operation: 'download', err: error }, 'could not show the end of a download'),
  );
}
