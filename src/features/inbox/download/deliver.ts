import type { WebClient } from '@slack/web-api';
import type { JobContext } from '../../../jobs/index.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import type { Digest } from '../../../lib/hashed.ts';
import { line } from '../../../slack/blocks.ts';
import { change, changeOrPost, contentOf, deleteMessage, type MessageLocation, post } from '../../../slack/messages.ts';
import { postProblemIn } from '../../../slack/posting.ts';
import { withSpooledFile } from '../../../slack/spool.ts';
import { messageExists, uploadToSlack } from '../../../slack/upload.ts';
import { errorMessageWithReference } from '../../common/audited.ts';
import {
  permissionLinkFor,
  type ShareCheck,
  shareAndCheck,
  shareCheckKind,
  type Upload,
} from '../../common/delivery/share.ts';
import { fileAndSenderText } from '../../common/delivery/shown-file.ts';
import { safeName } from '../../common/names.ts';
import type { Actor } from '../../common/services.ts';
import type { SlackServices } from '../../common/slack-services.ts';
import type { DeliveredFile } from '../../scanning/operations.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { shownInChannel } from '../items/errors.ts';
import { queueDownload } from '../orders/operations.ts';
import { type DownloadOrder, downloadOrders, orderTtlMs, withDigest } from '../orders/repository.ts';
import { endOrder } from './notify.ts';
import { canBeShownIn, fetchFile, recordDownloadOutcome, wasUnscanned } from './operations.ts';
import { directMessageReason, failedBlocks, failedText, sendOnHint } from './views.ts';

/** The job that checks whether Slack shows the file yet. */
export const downloadShownKind = shareCheckKind('download-shown');

/** Streams the file to Slack. Spools it to disk first if the service doesn't send its size. */
async function streamToSlack(
  services: SlackServices,
  actor: Actor,
  id: string,
  { url, name }: DownloadOrder,
  signal: AbortSignal,
): Promise<string> {
  let file = '';
  const onDigest = async (digest: Digest) => {
    const options = { name: id, ttlMs: orderTtlMs };
    await services.store.collection(downloadOrders).update(actor.workspace, withDigest(digest), options);
  };
  const sink = async ({ size, stream }: DeliveredFile) => {
    const client = await services.slack.clientOf(actor.workspace);
    const upload = { client, name: safeName(name), signal };
    if (size === undefined) file = await withSpooledFile(stream, (spooled) => uploadToSlack({ ...upload, ...spooled }));
    else file = await uploadToSlack({ ...upload, size, open: () => stream });
  };
  await fetchFile(services, actor, { url, name }, sink, { signal, onDigest });
  return file;
}

/**
 * Whether the file can go into the thread: the order isn't for a direct message, the file still belongs to the channel,
 * the post exists, and the bot can post in the channel, which isn't shared with another organisation. Checked before and
 * after the file is fetched.
 */
async function canPostInThread(
  services: SlackServices,
  client: WebClient,
  actor: Actor,
  { post, url, isPrivate }: DownloadOrder,
): Promise<boolean> {
  if (post === undefined || isPrivate === true) return false;
  if (!(await canBeShownIn(services, actor, url, post.channel))) return false;
  return (await postProblemIn(client, post.channel)) === undefined && (await messageExists(client, post));
}

/** Uploads the file to Slack, without sharing it yet. */
async function upload(
  services: SlackServices,
  actor: Actor,
  id: string,
  order: DownloadOrder,
  { signal, step }: JobContext,
): Promise<Omit<Upload, 'checks' | 'name' | 'comment'>> {
  const client = await services.slack.clientOf(actor.workspace);
  const ensureProgress = () => step('progress', () => postProgress(services, actor, order));
  // If the file goes to a direct message, a message there says that the download is in progress.
  let progressMessage = (await canPostInThread(services, client, actor, order)) ? undefined : await ensureProgress();
  const stream = () => streamToSlack(services, actor, id, order, signal);
  const file = await step('upload', stream);
  const { person } = actor;
  // Check again, because the download can take long.
  if (
    progressMessage === undefined &&
    order.post !== undefined &&
    (await canPostInThread(services, client, actor, order))
  ) {
    return { person, file, channel: order.post.channel, threadTs: order.post.ts };
  }
  progressMessage ??= await ensureProgress();
  return { person, file, channel: progressMessage.channel, message: progressMessage };
}

/** Fetches a file and shares it in Slack. */
export async function deliver(
  services: SlackServices,
  actor: Actor,
  id: string,
  order: DownloadOrder,
  context: JobContext,
): Promise<void> {
  const { workspace } = actor;
  const uploaded = await upload(services, actor, id, order, context);
  const hint = uploaded.threadTs === undefined && (await needsSendOnHint(services, actor, order)) ? sendOnHint : '';
  const comment = `${await commentOn(services, actor, order)}${hint}`;
  const named = { ...uploaded, name: safeName(order.name), comment };
  await shareAndCheck(services, downloadShownKind, { workspace, id }, named, context);
}

/** The text above the file. Mentions if the file wasn't scanned for malware. */
async function commentOn(services: SlackServices, actor: Actor, order: DownloadOrder): Promise<string> {
  const isUnscanned = await wasUnscanned(services, actor, order);
  return isUnscanned ? `${fileAndSenderText(order)} (not scanned for malware)` : fileAndSenderText(order);
}

/**
 * Whether to add the hint about sending the file on: only for people who can send, and not to the files of a batch. If
 * the check fails, the download continues without the hint.
 */
async function needsSendOnHint(services: SlackServices, actor: Actor, { batch }: DownloadOrder): Promise<boolean> {
  if (batch !== undefined) return false;
  return expectAllowed(services, actor, 'send').then(
    () => true,
    () => false,
  );
}

/** The person who ordered the file. */
export const actorOf = (workspace: string, { account, person }: DownloadOrder): Actor => ({
  workspace,
  account,
  person,
});

/**
 * Ends a download when Slack shows its file. If Slack doesn't show it, notifies the person. If Slack shows it outside
 * its thread, delivers it again in a direct message.
 */
export function downloadShareCheck(services: SlackServices): ShareCheck {
  const orders = services.store.collection(downloadOrders);
  return {
    kind: downloadShownKind,
    async arrived({ workspace, id, upload: { message: progressMessage } }, { step }) {
      const order = await orders.get(workspace, id);
      if (order !== undefined)
        await step('record', () => recordDownloadOutcome(services, actorOf(workspace, order), order));
      // The file replaces the progress message.
      if (progressMessage !== undefined) await deleteMessage(await services.slack.clientOf(workspace), progressMessage);
      await endOrder(services, workspace, id, true);
    },
    async missing({ workspace, id, upload: { message: progressMessage } }, problem, context) {
      const order = await orders.get(workspace, id);
      if (order === undefined) return;
      const actor = actorOf(workspace, order);
      await context.step('record', () => recordDownloadOutcome(services, actor, order, problem));
      await postFailure(services, actor, order, problem, context, progressMessage);
      await endOrder(services, workspace, id, false);
    },
    async misplaced({ workspace, id }, { step }) {
      const order = await orders.get(workspace, id);
      if (order === undefined) return;
      await step('record', () => recordDownloadOutcome(services, actorOf(workspace, order), order, shownInChannel()));
      await queueDownload(services, workspace, id, { ...order, isPrivate: true });
    },
  };
}

/**
 * Posts the progress message, or shows the progress in the message of an earlier attempt. All callers use the same step
 * name, so that it is posted once.
 */
async function postProgress(
  services: SlackServices,
  { workspace, person }: Actor,
  order: DownloadOrder,
): Promise<MessageLocation> {
  const client = await services.slack.clientOf(workspace);
  const text = `Downloading ${fileAndSenderText(order)}…`;
  const reason = order.post === undefined ? [] : [line(directMessageReason)];
  const content = contentOf(text, [line(text), ...reason]);
  const { message: earlier } = order;
  if (earlier !== undefined && (await change(client, earlier, content))) return earlier;
  return post(client, person, content);
}

export async function postFailure(
  services: SlackServices,
  actor: Actor,
  order: DownloadOrder,
  error: unknown,
  { step, runId }: JobContext,
  postedMessage?: MessageLocation,
): Promise<void> {
  const isFinal = isDroplineError(error, 'not-found', 'not-allowed', 'not-connected', 'empty-file', 'infected');
  const text = failedText(order, errorMessageWithReference(error, runId));
  const client = await services.slack.clientOf(actor.workspace);
  const progressMessage = postedMessage ?? (await step('progress', () => postProgress(services, actor, order)));
  await changeOrPost(
    client,
    actor.person,
    progressMessage,
    contentOf(text, failedBlocks(order, text, !isFinal, permissionLinkFor(services, error))),
  );
}
