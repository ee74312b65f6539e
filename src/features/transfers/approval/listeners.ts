import type { KnownBlock } from '@slack/types';
import type { Filled } from '../../../slack/form.ts';
import { type Interaction, openWhenReady } from '../../../slack/interaction.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import type { UiServices } from '../../common/ui-services.ts';
import { readSettings } from '../../settings/repository.ts';
import { warnedAttempts } from '../duplicates.ts';
import { typedRequest } from '../kinds/request/checklist/fields.ts';
import { confirmView } from '../kinds/request/views.ts';
import { reviewOfTransfer } from '../kinds/send/prepare.ts';
import { reviewView } from '../kinds/send/views.ts';
import type { TransferWithDetails } from '../repository.ts';
import { reasonMissing } from './errors.ts';
import { askForFiles } from './files/open.ts';
import { approve, decline, readForApprover, restoreDraft } from './operations.ts';
import { approvalMetadata, approvalView, decidedView, declineView, openedFilesView } from './views.ts';

export function approvalRoutes(services: UiServices): Routes {
  return {
    actions: {
      'approval.review': (interaction, { value }) =>
        openWhenReady(interaction, 'Review', () => reviewFor(services, interaction, value)),
      'approval.decline': async (interaction, { value }) => {
        await readForApprover(services, interaction.actor, value);
        await interaction.push(declineView(value));
      },
      'approval.open': (interaction, { value }) => openFiles(services, interaction, value),
      'approval.edit': async (interaction, { value }) => {
        await restoreDraft(services, interaction.actor, value);
        await services.runCommand(interaction, 'send');
      },
    },
    forms: {
      'approval.review': { submit: (interaction, _, metadata) => submitApproval(services, interaction, metadata) },
      'approval.decline': {
        submit: (interaction, filled, metadata) => submitDecline(services, interaction, filled, metadata),
      },
    },
  };
}

async function reviewFor(services: UiServices, { actor }: Interaction, id: string) {
  const transfer = await readForApprover(services, actor, id);
  if (transfer.state !== 'approval') return decidedView(transfer);
  return approvalView(transfer, await contentOf(services, transfer));
}

async function openFiles(services: UiServices, interaction: Interaction, id: string): Promise<void> {
  const transfer = await askForFiles(services, interaction.actor, id);
  const { view } = interaction;
  if (transfer.state !== 'approval') await interaction.open(decidedView(transfer));
  else if (view !== undefined) await interaction.open(openedFilesView(view));
}

/** What the sender's review showed. New recipients and changed contacts are labelled as of now. */
async function contentOf(services: UiServices, transfer: TransferWithDetails): Promise<KnownBlock[]> {
  const { expiry } = await readSettings(services, transfer.workspace);
  const { id, kind, details } = transfer;
  const { recipients, expiresAfter, expiryDate } = details;
  const [earlier] = await warnedAttempts(services, details);
  const view =
    kind === 'request'
      ? confirmView({
          ...typedRequest(details),
          id,
          recipients,
          expiresAfter,
          expiryDate,
          unit: expiry.unit,
          earlier,
          reader: 'approver',
        })
      : reviewView({ ...(await reviewOfTransfer(services, transfer)), earlier, reader: 'approver' }, expiry.unit);
  return view.blocks as KnownBlock[];
}

const idIn = (metadata: string) => approvalMetadata.read(metadata)?.id ?? '';

async function submitApproval(services: UiServices, { actor }: Interaction, metadata: string): Promise<FormAnswer> {
  const { isFirst, transfer } = await approve(services, actor, idIn(metadata));
  return { view: decidedView(transfer), done: isFirst ? 'Approved.' : 'This was already decided.' };
}

async function submitDecline(
  services: UiServices,
  { actor }: Interaction,
  filled: Filled,
  metadata: string,
): Promise<FormAnswer> {
  const reason = filled.text('reason');
  if (reason === '') throw reasonMissing();
  const { isFirst, transfer } = await decline(services, actor, idIn(metadata), reason);
  // The review below this form is outdated too, so both are closed.
  if (isFirst) return { closeAll: true, done: 'Declined.' };
  return { view: decidedView(transfer), done: 'This was already decided.' };
}
