import type { Interaction } from '../../../slack/interaction.ts';
import type { Routes } from '../../../slack/routes.ts';
import { decidedView, openedFilesView } from '../approval/views.ts';
import type { TransferUiServices } from '../shown-kind.ts';
import { askForFiles } from './operations.ts';

/** Gives approvers their own copies of the files that they decide on. */
export function copyRoutes(services: TransferUiServices): Routes {
  return { actions: { 'approval.open': (interaction, { value }) => openFiles(services, interaction, value) } };
}

async function openFiles(services: TransferUiServices, interaction: Interaction, id: string): Promise<void> {
  const transfer = await askForFiles(services, interaction.actor, id);
  const { view } = interaction;
  if (transfer.state !== 'approval') await interaction.update(decidedView(services.kinds, transfer));
  else if (view !== undefined) await interaction.update(openedFilesView(view));
}
