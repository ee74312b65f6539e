import { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import type { ErrorLink } from '../../errors.ts';
import { handlerOf, type JobHandler, type JobKind, jobKind } from '../../jobs/index.ts';
import { line, linkBlocks } from '../../slack/blocks.ts';
import { changeOrPost, contentOf, post } from '../../slack/messages.ts';
import { uploadToSlack } from '../../slack/upload.ts';
import { dayOf } from '../../time-zone.ts';
import { hasErrorMessage } from './audited.ts';
import type { Actor } from './services.ts';
import type { SlackServices } from './ui-services.ts';
import {
  checkLater,
  expectFilePermission,
  type PendingUpload,
  pendingUploads,
  permissionLinkFor,
  type ShareCheck,
  shareAndCheck,
  shareCheckKind,
} from './upload.ts';

/** A CSV export, sent in a direct message to the person who asks for it. */
export interface TableExport {
  job: JobKind<{ workspace: string; person: string }>;
  /** For example “contacts”. The file name starts with it. */
  tableName: string;
  command: string;
  make(services: SlackServices, actor: Actor, client: WebClient): Promise<Table>;
}

export interface Table {
  csv: string;
  /** Added to the message, for example about the rows that are missing. */
  remark: string;
}

export const exportKind = (name: string) => jobKind(name, ['workspace', 'person'], { attempts: 3 });

/** Queues the export job. Rejects if Dropline isn't allowed to upload files to Slack. */
export async function queueExport(services: SlackServices, actor: Actor, { job }: TableExport): Promise<void> {
  const { workspace, person } = actor;
  await expectFilePermission(services, workspace);
  await services.queue.add(job, { workspace, person }, { key: `${job.name} ${workspace} ${person}` });
}

/** Posts a message, then uploads and shares the file. Updates the message when Slack shows the file or on a failure. */
export function tableExportJob(services: SlackServices, { job, tableName, command, make }: TableExport): JobHandler {
  const failed = `⚠️ The ${tableName} couldn't be exported.`;
  return handlerOf<{ workspace: string; person: string }>({
    kind: job,
    async run(actor, context) {
      const { step, signal, runId: id } = context;
      const client = await services.slack.clientOf(actor.workspace);
      // Posted first, because the answer has the conversation's id: a file can't be shared with a person's id.
      const posted = await step('announce', () => post(client, actor.person, contentOf(`Exporting the ${tableName}…`)));
      const updateMessage = (text: string, link?: ErrorLink) =>
        changeOrPost(client, actor.person, posted, contentOf(text, [line(text), ...linkBlocks(link)]));
      try {
        const { csv, remark } = await make(services, actor, client);
        const bytes = Buffer.from(csv);
        const name = `${tableName}-${dayOf(Date.now(), await services.people.zoneOf(actor))}.csv`;
        const open = () => Readable.from([bytes], { objectMode: false });
        const upload = () => uploadToSlack({ client, name, size: bytes.length, open, signal });
        const file = await step('upload', upload);
        const arrived = `Here's the ${tableName} of this workspace as CSV: ${name}. ${remark}`;
        const { workspace, person } = actor;
        const { channel } = posted;
        const uploaded = { person, file, channel, message: posted, texts: { arrived, missing: failed } };
        await shareAndCheck(services, exportCheckKind, { workspace, id }, uploaded, { name }, context);
      } catch (error) {
        signal.throwIfAborted();
        if (!hasErrorMessage(error)) throw error;
        await services.store.collection(pendingUploads).delete(actor.workspace, id);
        await updateMessage(`${failed} ${error.message}`, permissionLinkFor(services, error));
      }
    },
    async giveUp({ workspace, person }, _, { runId: id }) {
      // If Slack's answer was lost, the file might have been shared.
      const upload = await services.store.collection(pendingUploads).get(workspace, id);
      if (upload !== undefined) return checkLater(services, exportCheckKind, workspace, id);
      const client = await services.slack.clientOf(workspace);
      await post(client, person, contentOf(`${failed} Try again: ${command}, then Export.`));
    },
  });
}

/** The job that checks whether Slack shows the exported file. */
const exportCheckKind = shareCheckKind('export-shown');

/** Tells the person that Slack shows the export, or that it doesn't. */
export function exportShareCheck(services: SlackServices): ShareCheck {
  const updateMessage = async ({ workspace, upload: { person, message } }: PendingUpload, text: string) => {
    await changeOrPost(await services.slack.clientOf(workspace), person, message, contentOf(text));
  };
  return {
    kind: exportCheckKind,
    arrived: (pending) => updateMessage(pending, pending.upload.texts?.arrived ?? ''),
    missing: (pending, problem) => updateMessage(pending, `${pending.upload.texts?.missing} ${problem.message}`),
  };
}
