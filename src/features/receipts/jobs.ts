import { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import { handlerOf, type JobHandler, jobKind } from '../../jobs/index.ts';
import { dayOf } from '../../lib/time-zone.ts';
import { uploadToSlack } from '../../slack/upload.ts';
import { nameLookup } from '../audit/export.ts';
import { type ActorIds, actorWith } from '../common/connection.ts';
import { giveUpFile, sendFile } from '../common/delivery/file-message.ts';
import type { SlackServices } from '../common/slack-services.ts';

import { makeReceipt } from './operations.ts';

export const receiptKind = jobKind('receipt', ['workspace', 'desk', 'person', 'about', 'id'], { attempts: 3 });

const failed = "⚠️ The receipt couldn't be made.";

/** Sends a receipt to the person in a direct message. */
export function receiptJob(services: SlackServices): JobHandler {
  return handlerOf<ActorIds & { about: string; id: string }>({
    kind: receiptKind,
    async run({ workspace, desk, person, ...subject }, context) {
      const actor = await actorWith(services, { workspace, desk, person });
      const upload = async (client: WebClient) => {
        const name = `receipt-${dayOf(Date.now(), await services.people.zoneOf(actor))}-${subject.id.slice(0, 8)}.json`;
        const file = await context.step('upload', async () => {
          const nameOf = nameLookup(client);
          const bytes = Buffer.from(await makeReceipt(services, actor, subject, (user) => nameOf({ user })));
          const open = () => Readable.from([bytes], { objectMode: false });
          return uploadToSlack({ client, name, size: bytes.length, open, signal: context.signal });
        });
        return { file, name, arrived: `Here's the receipt: ${name}. ${receiptHint}` };
      };
      await sendFile(services, actor, { start: 'Making the receipt…', failed, upload }, context);
    },
    giveUp: ({ workspace, person }, _, context) =>
      giveUpFile(services, { workspace, person }, `${failed} Click Receipt again.`, context),
  });
}

const receiptHint =
  "It's signed, so others can check that nothing in it was changed. It doesn't prove that anyone downloaded or read the files.";
