import type { Filled } from '../../../slack/form.ts';
import { type Interaction, openWhenReady, pushWhenReady } from '../../../slack/interaction.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import type { TransferUiServices } from '../shown-kind.ts';
import { reasonMissing } from './errors.ts';
import { approve, decline, readForApprover } from './operations.ts';
import { approvalMetadata, approvalView, decidedView, declineView } from './views.ts';

export function approvalRoutes(services: TransferUiServices): Routes {
  return {
    actions: {
      'approval.review': (interaction, { value }) =>
        openWhenReady(interaction, 'Review', () => reviewFor(services, interaction, value)),
      'approval.decline': (interaction, { value }) =>
        pushWhenReady(interaction, 'Decline', async () => {
          await readForApprover(services, interaction.actor, value);
          return declineView(value);
        }),
    },
    forms: {
      'approval.review': { submit: (interaction, _, metadata) => submitApproval(services, interaction, metadata) },
      'approval.decline': {
        submit: (interaction, filled, metadata) => submitDecline(services, interaction, filled, metadata),
      },
    },
  };
}

async function reviewFor(services: TransferUiServices, { actor }: Interaction, id: string) {
  const transfer = await readForApprover(services, actor, id);
  if (transfer.state !== 'approval') return decidedView(services.kinds, transfer);
  const content = await services.kinds[transfer.kind].review(services, transfer);
  return approvalView(services.kinds, transfer, content);
}

const idIn = (metadata: string) => approvalMetadata.read(metadata)?.id ?? '';

async function submitApproval(
  services: TransferUiServices,
  { actor }: Interaction,
  metadata: string,
): Promise<FormAnswer> {
  const { isFirst, transfer } = await approve(services, actor, idIn(metadata));
  return { view: decidedView(services.kinds, transfer), done: isFirst ? 'Approved.' : 'This was already decided.' };
}

async function submitDecline(
  services: TransferUiServices,
  { actor }: Interaction,
  filled: Filled,
  metadata: string,
): Promise<FormAnswer> {
  const reason = filled.text('reason');
  if (reason === '') throw reasonMissing();
  const { isFirst, transfer } = await decline(services, actor, idIn(metadata), reason);
  // The review below this form is outdated too, so both are closed.
  if (isFirst) return { closeAll: true, done: 'Declined.' };
  return { view: decidedView(services.kinds, transfer), done: 'This was already decided.' };
}
