import type { Interaction } from '../../slack/interaction.ts';
import { openOrPushWhenReady } from '../../slack/interaction.ts';
import type { Routes } from '../../slack/routes.ts';
import { doneView } from '../../slack/views.ts';
import { idsOfActor } from '../common/connection.ts';
import { expectFilePermission } from '../common/delivery/share.ts';
import type { ListenerServices } from '../common/slack-services.ts';
import { receiptKind } from './jobs.ts';
import { readEvidence } from './operations.ts';

/** The buttons Receipt: in the details of a transfer, and of an inbox item with downloads. */
export function receiptRoutes(services: ListenerServices): Routes {
  const ask =
    (about: string) =>
    (interaction: Interaction, { value: id }: { value: string }) =>
      openOrPushWhenReady(interaction, 'Receipt', async () => {
        const { workspace, person } = interaction.actor;
        await readEvidence(services, interaction.actor, { about, id });
        await expectFilePermission(services, workspace);
        const key = `receipt ${workspace} ${person} ${id}`;
        await services.queue.add(receiptKind, { ...idsOfActor(interaction.actor), about, id }, { key });
        return doneView('Receipt', "I'll send you the receipt in a direct message.");
      });
  return { actions: { 'receipt.transfer': ask('transfer'), 'receipt.downloads': ask('downloads') } };
}
