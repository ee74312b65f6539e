import { z } from 'zod';
import { jobKind } from '../../../jobs/index.ts';
import { isDirect } from '../../../slack/channels.ts';
import type { Interaction } from '../../../slack/interaction.ts';
import { defineCollection } from '../../../store/index.ts';
import { audited } from '../../common/audited.ts';
import { connectionOf } from '../../common/connection.ts';
import { makeDownloadLink, usesLinks } from '../../common/delivery/links.ts';
import { downloadIdOf, fileIdOf } from '../../common/ids.ts';
import type { Actor } from '../../common/services.ts';
import type { SlackServices } from '../../common/ui-services.ts';
import { expectFilePermission, shareCheckKind } from '../../common/upload.ts';
import { expectNotPaused } from '../../settings/pause/checks.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { buttonExpired, fileGone, fileInfected, infectedNeedsLink } from '../errors.ts';
import { expectDownloadable } from '../items/entries.ts';
import { itemsIn, type StoredItem } from '../items/repository.ts';
import { itemSearchFormat } from '../items/search.ts';
import { infectedScan, infectionOf } from '../operations.ts';
import { workFilters } from '../work/repository.ts';

/** The modal in which a person clicked: its id, the hash of the view shown after the click, and the page. */
export const dialog = z.object({
  view: z.string(),
  hash: z.string(),
  page: z.number(),
  item: z.string().optional(),
  isNew: z.boolean().optional(),
  work: z.enum(workFilters).optional(),
  ...itemSearchFormat,
});
export type Dialog = z.infer<typeof dialog>;

/** A file that a person is waiting for. */
const order = z.object({
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
});
export type DownloadOrder = z.infer<typeof order>;

export const orderTtlMs = 86_400_000;

export const downloadKind = jobKind('download', ['workspace', 'order'], { attempts: 6, slots: 'long' });
/** The job that checks whether Slack shows the file yet. */
export const downloadShownKind = shareCheckKind('download-shown');
export const downloadOrders = defineCollection('download', order);

export interface RequestedFile {
  item: string;
  file: string;
  /** The clicked post; absent if the button was in a list. */
  post?: Interaction['message'];
  /** Set if the button was in the message of a failed download. */
  again?: true | undefined;
  batch?: string | undefined;
}

export type DownloadAnswer = Pick<DownloadOrder, 'name' | 'sender'> &
  ({ link: string; signature?: string } | { id: string; url: string; isInThread: boolean });

/**
 * Checks a click and adds a download job. Answers with a link instead if an admin chose that, if the app can't add
 * files to Slack, or for an infected file, which only admins get.
 */
export function askForFile(
  services: SlackServices,
  actor: Actor,
  requested: RequestedFile | undefined,
): Promise<DownloadAnswer> {
  return audited(services, actor, 'ask for a download', async ({ addDetails, record, skipEntry }) => {
    const { settings, isAdmin } = await expectAllowed(services, actor, 'download');
    if (requested === undefined) throw buttonExpired();
    const { workspace, person } = actor;
    await expectNotPaused(services, workspace, 'downloads');
    const { item } = await findItem(services, actor, requested.item);
    const name = item.files.find((file) => fileIdOf(file) === requested.file);
    if (name === undefined || item.isGone) throw fileGone();
    expectDownloadable(name);
    const { url, sender } = item;
    addDetails({ files: [{ name }], sender });
    const file = { name, ...(sender !== undefined && { sender }) };
    const signature = infectionOf(item, name);
    if (signature !== undefined) {
      addDetails({ scan: infectedScan(signature) });
      if (!isAdmin) throw fileInfected(name, signature);
      return { ...file, signature, link: await linkToInfected(services, actor, { url, name }, record) };
    }
    if (await usesLinks(services, workspace, settings.delivery)) {
      return { ...file, link: await makeDownloadLink(services, actor, { url, ...file }, record) };
    }
    await expectFilePermission(services, workspace);
    // A click in a list has no post: the person isn't necessarily a member of the channel with the item's post.
    const { post: clicked, again, batch } = requested;
    const post = settings.delivery === 'thread' ? clicked && threadOf(clicked) : undefined;
    const message =
      again && clicked && isDirect(clicked.channel) ? { channel: clicked.channel, ts: clicked.ts } : undefined;
    const newOrder = {
      person,
      url,
      ...file,
      ...(post && { post }),
      ...(message && { message }),
      ...(batch && { batch }),
    };
    // The same id for every click, so that a pending download isn't repeated (see jobs.ts).
    const id = downloadIdOf(person, url, name);
    await queueDownload(services, workspace, id, newOrder);
    skipEntry();
    return { ...file, id, url, isInThread: post !== undefined };
  });
}

/** The thread to deliver to. A post in a direct message has one only if it answers a request. */
function threadOf({ channel, ts, threadTs = ts }: NonNullable<RequestedFile['post']>): DownloadOrder['post'] {
  return isDirect(channel) && threadTs === ts ? undefined : { channel, ts: threadTs };
}

/** An infected file is never put into Slack: an admin gets a link to a page with a warning. */
function linkToInfected(
  services: SlackServices,
  admin: Actor,
  file: { url: string; name: string },
  record: Parameters<typeof makeDownloadLink>[3],
): Promise<string> {
  if (services.publicUrl === undefined) throw infectedNeedsLink();
  return makeDownloadLink(services, admin, { ...file, isInfected: true }, record);
}

export async function queueDownload(
  services: SlackServices,
  workspace: string,
  id: string,
  newOrder: DownloadOrder,
): Promise<void> {
  // If the file is already being downloaded as one of a batch, the batch still waits for it.
  const withBatch = ({ batch }: Partial<DownloadOrder> = {}) => ({
    ...(batch !== undefined && { batch }),
    ...newOrder,
  });
  await services.store.collection(downloadOrders).update(workspace, withBatch, {
    name: id,
    ttlMs: orderTtlMs,
    inSameTransaction: (within) =>
      services.queue.add(downloadKind, { workspace, order: id }, { key: `download ${workspace} ${id}`, within }),
  });
}

/** Finds an item by its id, only among the items of this workspace. */
export async function findItem(services: SlackServices, { workspace }: Actor, id: string): Promise<StoredItem> {
  const { exchange } = await connectionOf(services, workspace);
  const known = await itemsIn(services.store, workspace, exchange.account).findById(id);
  if (known === undefined) throw fileGone();
  return known;
}
