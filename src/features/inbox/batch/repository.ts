import { z } from 'zod';
import { bounds } from '../../../bounds.ts';
import { defineCollection, type Store } from '../../../store/index.ts';
import { type Dialog, dialog, orderTtlMs } from '../download/order.ts';

/** Files that were ordered in a modal, which shows when all of them have ended. */
const batch = z.object({
  total: z.number(),
  failed: z.number(),
  /** Ids of the orders that haven't ended. */
  waiting: z.array(z.string()),
  dialog: dialog.optional(),
});
type Batch = z.infer<typeof batch>;
export type EndedBatch = Batch & { dialog: Dialog };

const batches = defineCollection('download-batch', batch);

interface BatchId {
  workspace: string;
  id: string;
}

/** Enough for ten clicks in a row. Files beyond it are delivered too, but the modal doesn't wait for them. */
const maxWaiting = 10 * bounds.downloadsAtOnce;

/** Orders that the modal still waits for stay in its batch. Ended ones don't count any longer. */
export async function addToBatch(store: Store, { workspace, id }: BatchId, orders: readonly string[]): Promise<void> {
  const added = (before: Batch | undefined): Batch => {
    const waiting = [...new Set([...(before?.waiting ?? []), ...orders])].slice(-maxWaiting);
    return { total: waiting.length, failed: 0, waiting };
  };
  await store.collection(batches).update(workspace, added, { name: id, ttlMs: orderTtlMs });
}

/** Resolves with the batch if that was its last order and its modal is known. Only one caller gets it. */
export function endInBatch(store: Store, id: BatchId, order: string, isDelivered: boolean) {
  return changeBatch(store, id, ({ waiting, failed, ...rest }) => {
    const others = waiting.filter((other) => other !== order);
    const hasFailed = others.length < waiting.length && !isDelivered;
    return { ...rest, waiting: others, failed: failed + (hasFailed ? 1 : 0) };
  });
}

/** Resolves with the batch if all its orders have already ended. */
export function setDialog(store: Store, id: BatchId, shown: Dialog) {
  return changeBatch(store, id, (before) => ({ ...before, dialog: shown }));
}

/** Deletes the batch once it has ended and its modal is known. */
async function changeBatch(
  store: Store,
  { workspace, id }: BatchId,
  change: (before: Batch) => Batch,
): Promise<EndedBatch | undefined> {
  let ended: EndedBatch | undefined;
  const changed = (before: Batch | undefined): Batch | undefined => {
    if (before === undefined) return undefined;
    const { dialog: shown, ...after } = change(before);
    ended = shown !== undefined && after.waiting.length === 0 ? { ...after, dialog: shown } : undefined;
    return ended === undefined ? { ...after, dialog: shown } : undefined;
  };
  await store.collection(batches).update(workspace, changed, { name: id, ttlMs: orderTtlMs });
  return ended;
}
