import { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import { isDroplineError } from '../../errors.ts';
import { handlerOf, type JobHandler, jobKind } from '../../jobs/index.ts';
import { changeOrPost, contentOf, post } from '../../slack/tell.ts';
import { uploadToSlack } from '../../slack/upload.ts';
import type { SlackServices } from '../ui-services.ts';
import { exportAudit } from './operations.ts';

export const auditExporting = jobKind('audit-export', ['workspace', 'person'], { attempts: 3 });

const failed = '⚠️ The audit could not be exported.';

/** Puts the audit as a table into a direct message: one message says what becomes of it, the file follows. */
export function auditExportJob(services: SlackServices): JobHandler {
  return handlerOf<{ workspace: string; person: string }>({
    kind: auditExporting,
    async run(actor, { step, signal }) {
      const client = await services.slack.clientOf(actor.workspace);
      // Posted first also because its answer names the conversation: files do not go to a person, but into one.
      const posted = await step('begin', () => post(client, actor.person, contentOf('Exporting the audit …')));
      const say = (text: string) => changeOrPost(client, actor.person, posted, contentOf(text));
      try {
        const bytes = Buffer.from(await exportAudit(services, actor, nameBy(client)));
        const name = `audit-${new Date().toISOString().slice(0, 10)}.csv`;
        const open = () => Readable.from([bytes], { objectMode: false });
        await step('upload', async () => {
          await uploadToSlack({ client, channel: posted.channel, name, size: bytes.length, open, signal });
        });
        await say(`The audit of this workspace, as a table: ${name}. Times are in UTC.`);
      } catch (error) {
        signal.throwIfAborted();
        if (!isDroplineError(error)) throw error;
        await say(`${failed} ${error.message}`);
      }
    },
    async giveUp({ workspace, person }) {
      const client = await services.slack.clientOf(workspace);
      await post(client, person, contentOf(`${failed} Try again: /drop audit, then Export.`));
    },
  });
}

/** Who somebody is; whoever is gone or cannot be asked about has an id alone. */
function nameBy(client: WebClient): (person: string) => Promise<string> {
  return async (person) => {
    try {
      const { user } = await client.users.info({ user: person });
      return user?.real_name ?? user?.name ?? '';
    } catch {
      return '';
    }
  };
}
