import type { WebClient } from '@slack/web-api';
import { DroplineError, isDroplineError } from '../../../errors.ts';
import type { JobContext } from '../../../jobs/index.ts';
import { line } from '../../../slack/blocks.ts';
import { changeOrPost, contentOf, type MessageLocation, post } from '../../../slack/messages.ts';
import { platformErrorOf } from '../../../slack/platform-errors.ts';
import { spooled } from '../../../slack/spool.ts';
import { isThreadThere, uploadToSlack } from '../../../slack/upload.ts';
import { errorMessageWithReference } from '../../common/error-message.ts';
import { safeName } from '../../common/names.ts';
import type { Actor } from '../../common/services.ts';
import type { SlackServices } from '../../common/ui-services.ts';
import { permissionLinkFor } from '../../common/uploads/file-permission.ts';
import { shareAndWatch, type Upload, type UploadWatch, watchedUploads } from '../../common/uploads/upload-watch.ts';
import { troubleIn } from '../announce/posting.ts';
import { fetchFile, type IncomingFile, recordArrival } from '../operations.ts';
import { type DownloadOrder, downloadOrders, downloadShown, orderDownload } from './order.ts';
import { failedBlocks, failedText, fetchedText, inPrivateInstead } from './views.ts';

/** Streams the whole file to Slack. Spools it to disk first if the service doesn't send its size. */
async function bringToSlack(
  services: SlackServices,
  actor: Actor,
  { url, name }: DownloadOrder,
  signal: AbortSignal,
): Promise<string> {
  let id = '';
  const sink = async ({ size, stream }: IncomingFile) => {
    const client = await services.slack.clientOf(actor.workspace);
    const upload = { client, name: safeName(name), signal };
    if (size === undefined) id = await spooled(stream, (file) => uploadToSlack({ ...upload, ...file }));
    else id = await uploadToSlack({ ...upload, size, open: () => stream });
  };
  await fetchFile(services, actor, { url, name }, sink, signal);
  return id;
}

/**
 * A file goes into the thread only while the post exists and the channel isn't shared with another organisation. Checked
 * before the file is fetched and again right before it is shared.
 */
async function isThreadOpen(client: WebClient, { post, isPrivate }: DownloadOrder): Promise<boolean> {
  if (post === undefined || isPrivate === true) return false;
  return (await troubleIn(client, post.channel)) === undefined && (await isThreadThere(client, post));
}

/** Undefined if an earlier version of Dropline uploaded and shared it before it was interrupted. */
async function upload(
  services: SlackServices,
  actor: Actor,
  order: DownloadOrder,
  { signal, step }: JobContext,
): Promise<Omit<Upload, 'looks' | 'job'> | undefined> {
  const client = await services.slack.clientOf(actor.workspace);
  const say = () => step('said', () => sayFetching(services, actor, order));
  // In a direct message, a line says that the download is in progress.
  let said = (await isThreadOpen(client, order)) ? undefined : await say();
  const bring = () => bringToSlack(services, actor, order, signal);
  const file: string | undefined = await step('brought', bring);
  if (file === undefined) {
    if (said !== undefined) await remove(client, said);
    return undefined;
  }
  const { person } = actor;
  // Check again: the download can take long.
  if (said === undefined && order.post !== undefined && (await isThreadOpen(client, order))) {
    return { person, file, channel: order.post.channel, threadTs: order.post.ts };
  }
  said ??= await say();
  return { person, file, channel: said.channel, said };
}

/** Fetches a file and shares it in Slack. Resolves with false if there is nothing to wait for. */
export async function bring(
  services: SlackServices,
  actor: Actor,
  id: string,
  order: DownloadOrder,
  context: JobContext,
): Promise<boolean> {
  const { workspace } = actor;
  const before = await services.store.collection(watchedUploads).get(workspace, id);
  const given = before ?? (await upload(services, actor, order, context));
  if (given === undefined) return false;
  const shown = { name: safeName(order.name), comment: fetchedText(order) };
  await shareAndWatch(services, downloadShown, { workspace, id }, given, shown, context);
  return true;
}

async function remove(client: WebClient, { channel, ts }: MessageLocation): Promise<void> {
  await client.chat.delete({ channel, ts }).catch((error: unknown) => {
    if (platformErrorOf(error) === undefined) throw error;
  });
}

/** Ends a download when Slack shows its file, or tells the person that Slack doesn't. */
export function downloadWatch(services: SlackServices): UploadWatch {
  const orders = services.store.collection(downloadOrders);
  return {
    kind: downloadShown,
    async arrived({ workspace, id, upload: { person, said } }, { step }) {
      const order = await orders.get(workspace, id);
      if (order !== undefined) await step('noted', () => recordArrival(services, { workspace, person }, order));
      // The file replaces the progress message.
      if (said !== undefined) await remove(await services.slack.clientOf(workspace), said);
      await orders.delete(workspace, id);
    },
    async missing({ workspace, id, upload: { person, said } }, problem, context) {
      const order = await orders.get(workspace, id);
      if (order === undefined) return;
      const actor = { workspace, person };
      await context.step('noted', () => recordArrival(services, actor, order, problem));
      await sayFailed(services, actor, order, problem, context, said);
      await orders.delete(workspace, id);
    },
    async misplaced({ workspace, id, upload: { person } }, { step }) {
      const order = await orders.get(workspace, id);
      if (order === undefined) return;
      await step('noted', () => recordArrival(services, { workspace, person }, order, shownInChannel()));
      await orderDownload(services, workspace, id, { ...order, isPrivate: true });
    },
  };
}

const shownInChannel = () =>
  new DroplineError('no-place', 'The post was deleted, and Slack showed the file in the channel. I deleted it there.');

/** Posts the progress message. Callers use the same step name, so that it is posted once and changed afterwards. */
async function sayFetching(
  services: SlackServices,
  { workspace, person }: Actor,
  order: DownloadOrder,
): Promise<MessageLocation> {
  const client = await services.slack.clientOf(workspace);
  const text = `Fetching ${fetchedText(order)} …`;
  const instead = order.post === undefined ? [] : [line(inPrivateInstead)];
  return post(client, person, contentOf(text, [line(text), ...instead]));
}

export async function sayFailed(
  services: SlackServices,
  actor: Actor,
  order: DownloadOrder,
  error: unknown,
  { step, job }: JobContext,
  saidBefore?: MessageLocation,
): Promise<void> {
  const isFinal = isDroplineError(error, 'not-found', 'not-allowed', 'not-connected', 'empty-file');
  const text = failedText(order, errorMessageWithReference(error, job));
  const client = await services.slack.clientOf(actor.workspace);
  const said = saidBefore ?? (await step('said', () => sayFetching(services, actor, order)));
  await changeOrPost(
    client,
    actor.person,
    said,
    contentOf(text, failedBlocks(order, text, !isFinal, permissionLinkFor(services, error))),
  );
}
