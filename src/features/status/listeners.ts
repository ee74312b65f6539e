import { type Interaction, openWhenReady } from '../../slack/interaction.ts';
import type { Routes } from '../../slack/routes.ts';
import { loadingView } from '../../slack/views.ts';
import { count } from '../../slack/words.ts';
import type { UiServices } from '../common/ui-services.ts';
import { clearAccountRecipients, removeUploaded } from '../files/operations.ts';
import { readStatus, releaseHold, resumePolling } from './operations.ts';
import { statusView } from './views.ts';

export function statusRoutes(services: UiServices): Routes {
  const page = async ({ actor }: Interaction, result?: string) => statusView(await readStatus(services, actor), result);

  /** Runs a slow action. If the person closes the modal, the result comes in a message. */
  const runAction = async (interaction: Interaction, work: () => Promise<string>) => {
    await interaction.open(loadingView('Status'));
    const result = await work();
    if (!(await interaction.open(await page(interaction, result)))) await interaction.write(result);
  };

  return {
    commands: {
      status: {
        summary: 'Check connection and activity',
        run: (interaction) => openWhenReady(interaction, 'Status', () => page(interaction)),
      },
    },
    actions: {
      'status.resume': (interaction) =>
        runAction(interaction, async () => {
          await resumePolling(services, interaction.actor);
          return "The service accepts the key. I'm checking for new files again.";
        }),
      'status.release': (interaction, { value }) =>
        runAction(interaction, async () => {
          await releaseHold(services, interaction.actor, value);
          return 'Sending resumed.';
        }),
      'status.clear-files': (interaction) =>
        runAction(interaction, async () => {
          const removed = await removeUploaded(services, interaction.actor);
          return removed.length === 0 ? 'Nothing to delete.' : `Deleted ${count(removed.length, 'file')}.`;
        }),
      'status.clear-recipients': (interaction) =>
        runAction(interaction, async () => {
          await clearAccountRecipients(services, interaction.actor);
          return 'Recipients reset.';
        }),
    },
  };
}
