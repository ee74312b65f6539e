import type { WebClient } from '@slack/web-api';
import { handlerOf, type JobContext, type JobHandler } from '../../../jobs/index.ts';
import { contentOf, post } from '../../../slack/messages.ts';
import { deleteUpload, uploadToSlack } from '../../../slack/upload.ts';
import { hasErrorMessage, recordEnd } from '../../common/audited.ts';
import { giveUpFile, sendFile } from '../../common/delivery/file-message.ts';
import { makeDownloadLink, postLink, usesLinks } from '../../common/delivery/links.ts';
import { shownName } from '../../common/delivery/shown-file.ts';
import type { Actor } from '../../common/services.ts';
import type { SlackServices } from '../../common/slack-services.ts';
import type { DeliveredFile } from '../../scanning/operations.ts';
import { readSettings } from '../../settings/repository.ts';
import { transfersIn } from '../repository.ts';
import { filesOf } from '../transfer.ts';
import { expectOpenable, type OpenedFile, openFile, openFileKind } from './operations.ts';

interface Ids extends Record<string, string> {
  workspace: string;
  person: string;
  transfer: string;
  file: string;
}

/** Gives an approver a copy of a file in a direct message, or a link to it. */
export function openFileJob(services: SlackServices): JobHandler {
  async function openedFile({ transfer, file }: Ids): Promise<{ account: string; name: string } | undefined> {
    const stored = await transfersIn(services.store).read(transfer);
    const found = stored && filesOf(stored).find(({ id }) => id === file);
    return found && { account: stored.account, name: found.name };
  }
  const record = (ids: Ids, file: string, { step }: JobContext, problem?: unknown) =>
    step('record', async () => {
      const { workspace, person, transfer } = ids;
      const { account } = (await openedFile(ids)) ?? {};
      const details = { transfer, files: [{ name: file }] };
      return recordEnd(services, { workspace, account, person }, 'open file', { details, problem }, (entry) =>
        entry.recordEffect(),
      );
    });

  return handlerOf<Ids>({
    kind: openFileKind,
    async run(ids, context) {
      const { workspace, person, transfer: id, file } = ids;
      const opened = await openedFile(ids);
      if (opened === undefined) return; // deleted with its workspace, or past its retention
      const { account, name } = opened;
      const actor = { workspace, account, person };
      const { delivery } = await readSettings(services, actor);
      if (await usesLinks(services, workspace, delivery)) {
        const refusal = await refusalOf(expectOpenable(services, actor, { id, file }, context.signal));
        if (refusal !== undefined) {
          const text = `${failedText(name)} ${refusal.message}`;
          await context.step('refused', async () => {
            await post(await services.slack.clientOf(workspace), person, contentOf(text));
          });
          return record(ids, name, context, refusal);
        }
        const url = await makeDownloadLink(services, actor, { name, transfer: { id, file } });
        return context.step('link', () => postLink(services, actor, { name }, url));
      }
      const upload = (client: WebClient) => uploadCopy(services, actor, { id, file, name }, client, context);
      const start = `Getting “${shownName(name)}”…`;
      const problem = await sendFile(services, actor, { start, failed: failedText(name), upload }, context);
      await record(ids, name, context, problem);
    },
    async giveUp(ids, error, context) {
      const { name } = (await openedFile(ids)) ?? {};
      if (name === undefined) return;
      await record(ids, name, context, error);
      await giveUpFile(services, ids, `${failedText(name)} Click Open files again.`, context);
    },
  });
}

/** The error that the person is told, if the check fails. Rejects with any other error, so that the job is retried. */
async function refusalOf(check: Promise<unknown>): Promise<Error | undefined> {
  try {
    await check;
    return undefined;
  } catch (error) {
    if (hasErrorMessage(error)) return error;
    throw error;
  }
}

const failedText = (name: string) => `⚠️ “${shownName(name)}” couldn't be opened.`;

async function uploadCopy(
  services: SlackServices,
  actor: Actor,
  { name, ...opened }: OpenedFile & { name: string },
  client: WebClient,
  { step, signal }: JobContext,
): Promise<{ file: string; name: string; arrived: string }> {
  const { file, isUnscanned } = await step('upload', async () => {
    let uploaded = '';
    const sink = async ({ size = 0, stream }: DeliveredFile) => {
      uploaded = await uploadToSlack({ client, name, size, open: () => stream, signal });
    };
    const { state } = await openFile(services, actor, opened, sink, { signal });
    return { file: uploaded, isUnscanned: state === 'not-scanned' };
  });
  // Check again, because the upload can take long. Slack doesn't show the file yet.
  await expectOpenable(services, actor, opened, signal).catch(async (error: unknown) => {
    signal.throwIfAborted();
    // After a temporary error, the job runs again and needs the uploaded file.
    if (hasErrorMessage(error)) await deleteUpload(client, file);
    throw error;
  });
  const remark = isUnscanned ? " It wasn't scanned for malware." : '';
  return { file, name, arrived: `Here's your copy of “${shownName(name)}”.${remark}` };
}
