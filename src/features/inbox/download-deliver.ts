import { isDroplineError } from '../../errors.ts';
import type { JobContext } from '../../jobs/index.ts';
import { line } from '../../slack/blocks.ts';
import { platformErrorOf } from '../../slack/platform-errors.ts';
import { spooled } from '../../slack/spool.ts';
import { changeOrPost, contentOf, post, type Spot } from '../../slack/tell.ts';
import { uploadToSlack } from '../../slack/upload.ts';
import { safeName } from '../send/names.ts';
import { sentenceWithReference } from '../sentence.ts';
import type { Actor } from '../services.ts';
import type { SlackServices } from '../ui-services.ts';
import type { DownloadOrder } from './download-order.ts';
import { downloadFile, type IncomingFile } from './operations.ts';
import { troubleIn } from './post.ts';
import { failedBlocks, failedText, fetchedText, inPrivateInstead } from './views-download.ts';

type Where = { channel: string; threadTs?: string };

/** The file as a whole, as a stream; where the service does not say how long it is, by way of the disk. */
function bringTo(
  services: SlackServices,
  actor: Actor,
  order: DownloadOrder,
  where: Where,
  signal: AbortSignal,
): Promise<void> {
  const { url, name } = order;
  const sink = async ({ size, stream }: IncomingFile) => {
    const client = await services.slack.clientOf(actor.workspace);
    const upload = { client, ...where, name: safeName(name), comment: fetchedText(order), signal };
    if (size === undefined) await spooled(stream, (file) => uploadToSlack({ ...upload, ...file }));
    else await uploadToSlack({ ...upload, size, open: () => stream });
  };
  return downloadFile(services, actor, { url, name }, sink, signal);
}

/** Whether it could be put there. */
export async function bringToThread(
  services: SlackServices,
  actor: Actor,
  order: DownloadOrder & { post: { channel: string; ts: string } },
  { signal, step }: JobContext,
): Promise<boolean> {
  const { channel, ts: threadTs } = order.post;
  const client = await services.slack.clientOf(actor.workspace);
  if ((await troubleIn(client, channel)) !== undefined) return false;
  await step('brought', () => bringTo(services, actor, order, { channel, threadTs }, signal));
  return true;
}

/** Into a direct message, in which a line stands for it while it is fetched. */
export async function bringPrivately(
  services: SlackServices,
  actor: Actor,
  order: DownloadOrder,
  { signal, step }: JobContext,
): Promise<void> {
  const client = await services.slack.clientOf(actor.workspace);
  const { channel, ts } = await step('said', () => sayFetching(services, actor, order));
  await step('brought', () => bringTo(services, actor, order, { channel }, signal));
  // The file speaks for itself.
  await client.chat.delete({ channel, ts }).catch((error: unknown) => {
    if (platformErrorOf(error) === undefined) throw error;
  });
}

/** What is said while it is fetched is said once, and then changed: noted under the same name by all who say it. */
async function sayFetching(services: SlackServices, { workspace, person }: Actor, order: DownloadOrder): Promise<Spot> {
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
): Promise<void> {
  const isFinal = isDroplineError(error, 'not-found', 'not-allowed', 'not-connected');
  const text = failedText(order, sentenceWithReference(error, job));
  const client = await services.slack.clientOf(actor.workspace);
  const said = await step('said', () => sayFetching(services, actor, order));
  await changeOrPost(client, actor.person, said, contentOf(text, failedBlocks(order, text, !isFinal)));
}
