import { Readable } from 'node:stream';
import { isDroplineError } from '../../errors.ts';
import { isExchangeError } from '../../exchange/index.ts';
import { handlerOf, type JobHandler, jobKind } from '../../jobs/index.ts';
import { changeOrPost, contentOf, post } from '../../slack/tell.ts';
import { uploadToSlack } from '../../slack/upload.ts';
import type { SlackServices } from '../ui-services.ts';
import { exportContacts } from './operations.ts';

export const exporting = jobKind('contacts-export', ['workspace', 'person'], { attempts: 3 });

/** Puts the contacts as a table into a direct message: one message says what becomes of it, the file follows. */
export function exportingJob(services: SlackServices): JobHandler {
  return handlerOf<{ workspace: string; person: string }>({
    kind: exporting,
    async run(actor, { step, signal }) {
      const client = await services.slack.clientOf(actor.workspace);
      // Posted first also because its answer names the conversation: files do not go to a person, but into one.
      const posted = await step('begin', () => post(client, actor.person, contentOf('Exporting the contacts …')));
      const say = (text: string) => changeOrPost(client, actor.person, posted, contentOf(text));
      try {
        const table = await exportContacts(services, actor);
        const bytes = Buffer.from(table);
        const name = `contacts-${new Date().toISOString().slice(0, 10)}.csv`;
        const open = () => Readable.from([bytes], { objectMode: false });
        await step('upload', async () => {
          await uploadToSlack({ client, channel: posted.channel, name, size: bytes.length, open, signal });
        });
        await say(`The contacts of this workspace, as a table: ${name}. It can be imported as it is.`);
      } catch (error) {
        signal.throwIfAborted();
        if (!isDroplineError(error) && !isExchangeError(error)) throw error;
        await say(`⚠️ The contacts could not be exported. ${error.message}`);
      }
    },
    async giveUp({ workspace, person }) {
      const client = await services.slack.clientOf(workspace);
      const text = '⚠️ The contacts could not be exported. Try again: /drop contacts, then Export.';
      await post(client, person, contentOf(text));
    },
  });
}
