import type { WebClient } from '@slack/web-api';
import type { JobContext } from '../../../jobs/index.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import { line, linkBlocks } from '../../../slack/blocks.ts';
import { changeOrPost, contentOf, post } from '../../../slack/messages.ts';
import { hasErrorMessage } from '../audited.ts';
import type { Actor } from '../services.ts';
import type { SlackServices } from '../slack-services.ts';
import {
  checkLater,
  type PendingUpload,
  pendingUploads,
  permissionLinkFor,
  type ShareCheck,
  shareAndCheck,
  shareCheckKind,
} from './share.ts';

/** A file for one person, and the message about it. */
interface FileMessage {
  /** The message while the file is on its way. */
  start: string;
  /** How the message begins if the file can't be delivered. */
  failed: string;
  /** Uploads the file to Slack. `arrived`: the message when Slack shows the file. */
  upload(client: WebClient): Promise<{ file: string; name: string; arrived: string }>;
}

/**
 * Posts a direct message, then uploads and shares the file. Updates the message when Slack shows the file or on a
 * failure. Resolves with the error that the person was told, if any.
 */
export async function sendFile(
  services: SlackServices,
  { workspace, person }: Actor,
  { start, failed, upload }: FileMessage,
  context: JobContext,
): Promise<unknown> {
  const { step, signal, runId: id } = context;
  const client = await services.slack.clientOf(workspace);
  // Posted first, because the answer has the conversation's id: a file can't be shared with a person's id.
  const message = await step('announce', () => post(client, person, contentOf(start)));
  try {
    const { file, name, arrived } = await upload(client);
    const { channel } = message;
    const uploaded = { person, file, channel, name, message, texts: { arrived, missing: failed } };
    await shareAndCheck(services, fileShownKind, { workspace, id }, uploaded, context);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!hasErrorMessage(error) || isDroplineError(error, 'busy')) throw error;
    const text = `${failed} ${error.message}`;
    const blocks = [line(text), ...linkBlocks(permissionLinkFor(services, error))];
    await changeOrPost(client, person, message, contentOf(text, blocks));
    return error;
  }
}

/** Tells the person that the job was given up. If Slack's answer was lost, checks first if Slack shows the file. */
export async function giveUpFile(
  services: SlackServices,
  { workspace, person }: Actor,
  text: string,
  { step, runId: id }: JobContext,
): Promise<void> {
  const upload = await services.store.collection(pendingUploads).get(workspace, id);
  if (upload !== undefined) return checkLater(services, fileShownKind, workspace, id);
  const client = await services.slack.clientOf(workspace);
  // The message that the job has posted, if it got that far.
  const message = await step('announce', () => post(client, person, contentOf(text)));
  await changeOrPost(client, person, message, contentOf(text));
}

/** The job that checks whether Slack shows the file. */
const fileShownKind = shareCheckKind('file-shown');

/** Tells the person that Slack shows the file, or that it doesn't. */
export function fileShareCheck(services: SlackServices): ShareCheck {
  const updateMessage = async ({ workspace, upload: { person, message } }: PendingUpload, text: string) => {
    await changeOrPost(await services.slack.clientOf(workspace), person, message, contentOf(text));
  };
  return {
    kind: fileShownKind,
    arrived: (pending) => updateMessage(pending, pending.upload.texts?.arrived ?? ''),
    missing: (pending, problem) => updateMessage(pending, `${pending.upload.texts?.missing} ${problem.message}`),
  };
}
