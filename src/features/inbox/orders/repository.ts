import type pg from 'pg';
import { z } from 'zod';
import { bounds } from '../../../lib/bounds.ts';
import { type Digest, digest } from '../../../lib/hashed.ts';
import { defineCollection, type Store } from '../../../store/index.ts';
import { shownPage } from '../items/search.ts';

/** The modal in which a person clicked: its id, the hash of the view shown after the click, and the page. */
export const dialog = shownPage.extend({ view: z.string(), hash: z.string() });
export type Dialog = z.infer<typeof dialog>;

/** A file that a person is waiting for. */
const order = z.object({
  account: z.string(),
  person: z.string(),
  url: z.string(),
  name: z.string(),
  sender: z.string().optional(),
  /** The post whose thread gets the file; absent for a direct message. */
  post: z.object({ channel: z.string(), ts: z.string() }).optional(),
  /** The message of an earlier attempt, which shows the progress of this one. */
  message: z.object({ channel: z.string(), ts: z.string() }).optional(),
  dialog: dialog.optional(),
  /** The batch of files that were ordered with Download all in a modal. */
  batch: z.string().optional(),
  /** Deliver in a direct message, because `post` was deleted. */
  isPrivate: z.literal(true).optional(),
  /** What was read last, and what an earlier attempt has read instead. */
  digest: digest.optional(),
  earlierSha256: z.string().optional(),
});
export type DownloadOrder = z.infer<typeof order>;

export const orderTtlMs = 86_400_000;

export const downloadOrders = defineCollection('download', order);

/** Returns a change that keeps what was read, with the order. */
export const withDigest = (digest: Digest) => (order: DownloadOrder | undefined) => {
  const { digest: before } = order ?? {};
  const isOther = before !== undefined && before.sha256 !== digest.sha256;
  return order && { ...order, digest, ...(isOther && { earlierSha256: before.sha256 }) };
};

/** Downloads that were ordered in a modal. When all have ended, the modal shows the result. */
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

/** Adds orders to the batch of a modal. Orders that haven't ended stay in the batch; ended ones no longer count. */
export async function addToBatch(store: Store, { workspace, id }: BatchId, orders: readonly string[]): Promise<void> {
  const addOrders = (current: Batch | undefined): Batch => {
    const waiting = [...new Set([...(current?.waiting ?? []), ...orders])].slice(-maxWaiting);
    return { total: waiting.length, failed: 0, waiting };
  };
  await store.collection(batches).update(workspace, addOrders, { name: id, ttlMs: orderTtlMs });
}

/** Ends an order. Resolves with the batch if it was the last one and the modal is known. Only one caller gets it. */
export function endInBatch(store: Store, id: BatchId, order: string, isDelivered: boolean, within?: pg.ClientBase) {
  const endOrder = ({ waiting, failed, ...counts }: Batch) => {
    const others = waiting.filter((other) => other !== order);
    const hasFailed = others.length < waiting.length && !isDelivered;
    return { ...counts, waiting: others, failed: failed + (hasFailed ? 1 : 0) };
  };
  return changeBatch(store, id, endOrder, within);
}

/** Adds the modal to the batch. Resolves with the batch if all its orders have already ended. */
export function setDialog(store: Store, id: BatchId, dialog: Dialog) {
  return changeBatch(store, id, (current) => ({ ...current, dialog }));
}

/** Changes the batch. Deletes it, and resolves with it, once it has ended and its modal is known. */
async function changeBatch(
  store: Store,
  { workspace, id }: BatchId,
  change: (current: Batch) => Batch,
  within?: pg.ClientBase,
): Promise<EndedBatch | undefined> {
  let ended: EndedBatch | undefined;
  const changeOrDelete = (current: Batch | undefined): Batch | undefined => {
    if (current === undefined) return undefined;
    const { dialog, ...changed } = change(current);
    ended = dialog !== undefined && changed.waiting.length === 0 ? { ...changed, dialog } : undefined;
    return ended === undefined ? { ...changed, dialog } : undefined;
  };
  await store.collection(batches).update(workspace, changeOrDelete, { name: id, ttlMs: orderTtlMs, within });
  return ended;
}
