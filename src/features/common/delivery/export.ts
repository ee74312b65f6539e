import { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import { handlerOf, type JobHandler, type JobKind, jobKind } from '../../../jobs/index.ts';
import { dayOf } from '../../../lib/time-zone.ts';
import { uploadToSlack } from '../../../slack/upload.ts';
import { type ActorIds, actorWith, idsOfActor } from '../connection.ts';
import type { Actor } from '../services.ts';
import type { SlackServices } from '../slack-services.ts';
import { giveUpFile, sendFile } from './file-message.ts';
import { expectFilePermission } from './share.ts';

/** A CSV export, sent in a direct message to the person who asks for it. */
export interface TableExport {
  job: JobKind<ActorIds>;
  /** For example “contacts”. The file name starts with it. */
  tableName: string;
  command: string;
  /** Whether it has what belongs to one account, and not the workspace's. */
  isOfDesk?: boolean;
  make(services: SlackServices, actor: Actor, client: WebClient): Promise<Table>;
}

export interface Table {
  csv: string;
  /** Added to the message, for example about the rows that are missing. */
  remark: string;
}

export const exportKind = (name: string) => jobKind(name, ['workspace', 'desk', 'person'], { attempts: 3 });

/** Queues the export job. Rejects if Dropline isn't allowed to upload files to Slack. */
export async function queueExport(services: SlackServices, actor: Actor, { job }: TableExport): Promise<void> {
  const ids = idsOfActor(actor);
  const { workspace, desk, person } = ids;
  await expectFilePermission(services, workspace);
  await services.queue.add(job, ids, { key: `${job.name} ${workspace} ${desk} ${person}` });
}

export function tableExportJob(
  services: SlackServices,
  { job, tableName, command, isOfDesk = false, make }: TableExport,
): JobHandler {
  const failed = `⚠️ The ${tableName} couldn't be exported.`;
  return handlerOf<ActorIds>({
    kind: job,
    async run(ids, context) {
      const actor = await actorWith(services, ids);
      const desk = isOfDesk ? await services.store.credentials.nameOf(actor) : undefined;
      const upload = async (client: WebClient) => {
        const { csv, remark } = await make(services, actor, client);
        const bytes = Buffer.from(csv);
        const name = `${tableName}-${dayOf(Date.now(), await services.people.zoneOf(actor))}.csv`;
        const open = () => Readable.from([bytes], { objectMode: false });
        const toSlack = () => uploadToSlack({ client, name, size: bytes.length, open, signal: context.signal });
        const file = await context.step('upload', toSlack);
        return {
          file,
          name,
          arrived: `Here's the ${tableName} of ${desk ?? 'this workspace'} as CSV: ${name}. ${remark}`,
        };
      };
      await sendFile(services, actor, { start: `Exporting the ${tableName}…`, failed, upload }, context);
    },
    giveUp: (actor, _, context) =>
      giveUpFile(services, actor, `${failed} Try again: ${command}, then Export.`, context),
  });
}
