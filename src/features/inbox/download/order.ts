import { jobKind } from '../../../jobs/index.ts';
import { isDirect } from '../../../slack/channels.ts';
import type { Interaction } from '../../../slack/interaction.ts';
import { audited } from '../../common/audited.ts';
import { makeDownloadLink, usesLinks } from '../../common/delivery/links.ts';
import { expectFilePermission, shareCheckKind } from '../../common/delivery/share.ts';
import { downloadIdOf, fileIdOf } from '../../common/ids.ts';
import type { Actor } from '../../common/services.ts';
import type { SlackServices } from '../../common/ui-services.ts';
import { expectNotPaused } from '../../pause/checks.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { expectDownloadable } from '../items/entries.ts';
import { buttonExpired, fileGone, fileInfected, infectedNeedsLink } from '../items/errors.ts';
import { findItem } from '../items/operations.ts';
import { infectedScan, infectionOf } from './operations.ts';
import { type DownloadOrder, downloadOrders, orderTtlMs } from './repository.ts';

export const downloadKind = jobKind('download', ['workspace', 'order'], { attempts: 6, slots: 'long' });
/** The job that checks whether Slack shows the file yet. */
export const downloadShownKind = shareCheckKind('download-shown');

export interface RequestedFile {
  item: string;
  file: string;
  /** The clicked post; absent if the button was in a list. */
  post?: Interaction['message'];
  /** Set if the button was in the message of a failed download. */
  again?: true;
  batch?: string;
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
    const item = await findItem(services, actor, requested.item);
    const name = item.files.find((file) => fileIdOf(file) === requested.file);
    if (name === undefined || item.isGone) throw fileGone();
    expectDownloadable(name);
    const { url, sender } = item;
    addDetails({ files: [{ name }], sender });
    const file = { name, sender };
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
      post,
      message,
      batch,
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
    batch,
    ...newOrder,
  });
  await services.store.collection(downloadOrders).update(workspace, withBatch, {
    name: id,
    ttlMs: orderTtlMs,
    inSameTransaction: (within) =>
      services.queue.add(downloadKind, { workspace, order: id }, { key: `download ${workspace} ${id}`, within }),
  });
}
