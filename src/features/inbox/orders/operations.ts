import { jobKind } from '../../../jobs/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import { audited } from '../../common/audited.ts';
import { deskOf } from '../../common/connection.ts';
import { downloadIdOf, fileIdOf, itemIdOf } from '../../common/ids.ts';
import type { Actor, DeliveryServices, InboxItem, LinkedFile, Services } from '../../common/services.ts';
import { expectNotPaused } from '../../pause/checks.ts';
import { infectedScan } from '../../scanning/operations.ts';
import { type Access, expectAllowed } from '../../settings/permission.ts';
import { expectDownloadable, filesOf, hasDownloaded, infectionOf, isDownloadable } from '../items/entries.ts';
import { buttonExpired, fileGone, fileInfected, infectedNeedsLink } from '../items/errors.ts';
import { channelOf, findItem, isPostedIn } from '../items/operations.ts';
import { addToBatch, type DownloadOrder, downloadOrders, endInBatch, orderTtlMs } from './repository.ts';

export const downloadKind = jobKind('download', ['workspace', 'order'], { attempts: 6, slots: 'long' });

export interface RequestedFile {
  item: string;
  file: string;
  /** The thread of the clicked post. A click in a list has none: the person isn't necessarily a member of the channel. */
  thread?: DownloadOrder['post'];
  /** The message of a failed download, in which this one shows its progress. */
  message?: DownloadOrder['message'];
  batch?: string;
}

export type DownloadAnswer = Pick<DownloadOrder, 'name' | 'sender'> &
  ({ link: string; signature?: string } | { id: string; url: string; isInThread: boolean });

/**
 * Checks a click and adds a download job. Answers with a link instead if an admin chose that, if the app can't add
 * files to Slack, or for an infected file, which only admins get.
 */
export function askForFile(
  services: DeliveryServices,
  actor: Actor,
  requested: RequestedFile | undefined,
): Promise<DownloadAnswer> {
  return audited(services, actor, 'ask for a download', async ({ addDetails, record, skipEntry }) => {
    const access = await expectAllowed(services, actor, 'download');
    const { settings, isAdmin } = access;
    if (requested === undefined) throw buttonExpired();
    const { delivery } = services;
    const desk = await deskOf(services, actor);
    const { workspace, account } = desk;
    const { person } = actor;
    await expectNotPaused(services, desk, 'downloads');
    const item = await findItem(services, actor, access, requested.item);
    const name = item.files.find((file) => fileIdOf(file) === requested.file);
    if (name === undefined || item.isGone) throw fileGone();
    expectDownloadable(name);
    const { url, sender } = item;
    addDetails({ files: [{ name }], sender });
    const file = { name, sender };
    const linkTo = (linked: LinkedFile) => delivery.linkTo({ ...actor, ...desk }, linked, record);
    const signature = infectionOf(item, name);
    if (signature !== undefined) {
      addDetails({ scan: infectedScan(signature) });
      if (!isAdmin) throw fileInfected(name, signature);
      // An infected file is never put into Slack: an admin gets a link to a page with a warning.
      if (!delivery.hasLinks) throw infectedNeedsLink();
      return { ...file, signature, link: await linkTo({ url, name, isInfected: true }) };
    }
    const { thread, message, batch } = requested;
    const { delivery: chosen } = channelOf(settings, item) ?? settings;
    if ((await delivery.methodFor(workspace, chosen)) === 'link')
      return { ...file, link: await linkTo({ url, ...file }) };
    const post = chosen === 'thread' && thread && isPostedIn(item, thread.channel) ? thread : undefined;
    const newOrder = { account, person, url, ...file, post, message, batch };
    // The same id for every click, so that a pending download isn't repeated (see jobs.ts).
    const id = downloadIdOf(person, url, name);
    await queueDownload(services, workspace, id, newOrder);
    skipEntry();
    return { ...file, id, url, isInThread: post !== undefined };
  });
}

export async function queueDownload(
  services: Services,
  workspace: string,
  id: string,
  newOrder: DownloadOrder,
): Promise<void> {
  // If the file is already being downloaded as one of a batch, the batch still waits for it.
  const withBatch = ({ batch }: Partial<DownloadOrder> = {}) => ({ ...newOrder, batch: newOrder.batch ?? batch });
  await services.store.collection(downloadOrders).update(workspace, withBatch, {
    name: id,
    ttlMs: orderTtlMs,
    inSameTransaction: (within) =>
      services.queue.add(downloadKind, { workspace, order: id }, { key: `download ${workspace} ${id}`, within }),
  });
}

export interface BatchAnswer {
  answers: DownloadAnswer[];
  /** Files that one click doesn't order, because there are too many. */
  remaining: number;
  infected: number;
  /** The batch's id; undefined if the click was in a post or ordered no files. */
  batch: string | undefined;
}

/**
 * Orders the files of these items that the person hasn't downloaded yet, each like a single click on Download. So a
 * second click doesn't order files that have arrived.
 */
export async function askForAll(
  services: DeliveryServices,
  actor: Actor,
  items: readonly string[],
  { thread, dialog }: Pick<RequestedFile, 'thread'> & { dialog?: string },
): Promise<BatchAnswer> {
  const access = await expectAllowed(services, actor, 'download');
  const { files, infected } = await newFiles(services, actor, access, items);
  const ordered = files.slice(0, bounds.downloadsAtOnce);
  // The batch of a modal: a second click there adds to it, so that the modal waits for the files of both.
  const id = ordered.length === 0 ? undefined : dialog;
  const { workspace, person } = actor;
  const downloadOf = ({ item, name }: ListedFile) => downloadIdOf(person, item.url, name);
  if (id !== undefined) await addToBatch(services.store, { workspace, id }, ordered.map(downloadOf));
  const answers: DownloadAnswer[] = [];
  for (const file of ordered) {
    const requested = { item: itemIdOf(file.item.url), file: fileIdOf(file.name), thread, batch: id };
    const answer = await askForFile(services, actor, requested).catch((error: unknown) => {
      // The file has just expired, or malware was found in it.
      if (!isDroplineError(error, 'not-found', 'infected')) throw error;
      return undefined;
    });
    if (answer !== undefined) answers.push(answer);
    if (id !== undefined && (answer === undefined || 'link' in answer))
      await endInBatch(services.store, { workspace, id }, downloadOf(file), answer !== undefined);
  }
  if (ordered.length > 0 && answers.length === 0) throw fileGone();
  return { answers, remaining: files.length - ordered.length, infected, batch: id };
}

interface ListedFile {
  item: InboxItem;
  name: string;
}

/** The files that this person hasn't downloaded yet. Leaves out infected ones, which only an admin can get. */
async function newFiles(services: Services, actor: Actor, access: Access, ids: readonly string[]) {
  const { person } = actor;
  const find = (id: string) =>
    findItem(services, actor, access, id).catch((error: unknown) => {
      if (!isDroplineError(error, 'not-found')) throw error;
      return undefined;
    });
  const found = await Promise.all([...new Set(ids)].map(find));
  const items = found.flatMap((known) => (known === undefined || known.isGone ? [] : [known]));
  if (items.length === 0) throw fileGone();
  const isNew = ({ item, name }: ListedFile) => !hasDownloaded(item, person, name);
  const listedFiles = items.flatMap((item) => filesOf(item).map((name) => ({ item, name })));
  const files = listedFiles.filter((file) => isDownloadable(file.name) && isNew(file));
  const clean = files.filter(({ item, name }) => infectionOf(item, name) === undefined);
  return { files: clean, infected: files.length - clean.length };
}
