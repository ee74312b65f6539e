import { type Interaction, openWhenReady } from '../../slack/interaction.ts';
import type { Routes } from '../../slack/routes.ts';
import { missingScopeBlocks, missingScopes } from '../../slack/scopes.ts';
import { count } from '../../slack/words.ts';
import { installLink } from '../common/delivery/share.ts';
import { clearAccountRecipients, removeUploaded } from '../files/operations.ts';
import { withDeskSwitch } from '../settings/desks/fields.ts';
import { cancelTransfer } from '../transfers/lifecycle/operations.ts';
import type { TransferUiServices } from '../transfers/shown-kind.ts';
import { readStatus, releaseHold, resumePolling } from './operations.ts';
import { statusView } from './views.ts';

export function statusRoutes(services: TransferUiServices): Routes {
  const page = async ({ actor }: Interaction, result?: string) => {
    const [status, bot] = await Promise.all([readStatus(services, actor), services.slack.botOf(actor.workspace)]);
    const view = statusView(
      services.kinds,
      status,
      result,
      missingScopeBlocks(missingScopes(bot?.scopes), installLink(services)),
    );
    return withDeskSwitch(services, actor, view, 'status');
  };

  /** Runs a slow action. If the person closes the modal, the result comes in a message. */
  const runAction = async (interaction: Interaction, work: () => Promise<string>) => {
    await interaction.openLoading('Status');
    const result = await work();
    if (!(await interaction.update(await page(interaction, result)))) await interaction.write(result);
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
      'status.cancel': (interaction, { value }) =>
        runAction(interaction, async () => {
          await cancelTransfer(services, interaction.actor, value);
          return 'Transfer cancelled.';
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
