import { createFieldErrors } from '../../../lib/errors.ts';
import { openOrPushWhenReady } from '../../../slack/interaction.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import type { UiServices } from '../../common/ui-services.ts';
import { closingAnswer, expectOwnChannel, updateModalsBelow } from '../pages/forms.ts';
import { expectAllowed } from '../permission.ts';
import { scannerInfo } from '../policies/repository.ts';
import { policiesView } from '../policies/views.ts';
import { overviewView } from '../views.ts';
import { approvalForm, approvalMetadata, hasEnteredRules, readApproval, removedRules } from './form.ts';
import { expectApprovers, saveApproval } from './operations.ts';

/** The form that sets which transfers need approval. */
export function approvalSettingsRoutes(services: UiServices): Routes {
  return {
    actions: {
      'settings.approval': (interaction) =>
        openOrPushWhenReady(interaction, 'Approval', async () => {
          const { settings } = await expectAllowed(services, interaction.actor, 'admin');
          return approvalForm(settings.approval);
        }),
    },
    forms: {
      'settings.approval': {
        async submit(interaction, filled, metadata): Promise<FormAnswer> {
          const { actor } = interaction;
          const { settings } = await expectAllowed(services, actor, 'admin');
          const stored = settings.approval;
          const errors = createFieldErrors();
          const next = readApproval(filled, stored, errors);
          const { channel } = next;
          await errors.checkAsync(() => expectApprovers(services, actor, next, hasEnteredRules(next, errors)));
          if (channel !== undefined)
            await errors.checkAsync(() =>
              expectOwnChannel(services, actor.workspace, channel, 'approverChannel', true),
            );
          errors.throwIfAny();
          const { seen } = approvalMetadata.read(metadata) ?? {};
          const removed = removedRules(stored, next);
          if (removed.length > 0 && !filled.choices('clear').includes('approval'))
            return { view: approvalForm(next, seen, removed) };
          const saved = await saveApproval(services, actor, next, seen);
          return closingAnswer(
            interaction,
            policiesView(saved, await scannerInfo(services), 'Saved.'),
            'Settings saved.',
          );
        },
        async after(interaction) {
          const { settings } = await expectAllowed(services, interaction.actor, 'view');
          await updateModalsBelow(
            interaction,
            policiesView(settings, await scannerInfo(services), 'Saved.'),
            overviewView(settings),
          );
        },
      },
    },
  };
}
