import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import type { UiServices } from '../../common/ui-services.ts';
import { expectOwnChannel, openOnTop, savedAnswer, showBelow } from '../listeners.ts';
import { expectAllowed } from '../permission.ts';
import { overviewView } from '../views.ts';
import { approvalForm, approvalMetadata, readApproval, removedRules } from './form.ts';
import { saveApproval } from './operations.ts';

/** The form that sets which transfers need approval. */
export function approvalSettingsRoutes(services: UiServices): Routes {
  return {
    actions: {
      'settings.approval': async (interaction) => {
        const { settings } = await expectAllowed(services, interaction.actor, 'admin');
        await openOnTop(interaction, approvalForm(settings.policies.approval));
      },
    },
    forms: {
      'settings.approval': {
        async submit(interaction, filled, metadata): Promise<FormAnswer> {
          const { actor } = interaction;
          const { settings } = await expectAllowed(services, actor, 'admin');
          const now = settings.policies.approval;
          const next = readApproval(filled, now);
          if (next.channel !== undefined && next.channel !== now.channel)
            await expectOwnChannel(services, actor.workspace, next.channel, 'approverChannel');
          const { seen } = approvalMetadata.read(metadata) ?? {};
          const removed = removedRules(now, next);
          if (removed.length > 0 && !filled.choices('clear').includes('approval'))
            return { view: approvalForm(next, seen, removed) };
          const saved = await saveApproval(services, actor, next, seen);
          return savedAnswer(interaction, overviewView(saved, 'Saved.'), 'Settings saved.');
        },
        async after(interaction) {
          const { settings } = await expectAllowed(services, interaction.actor, 'admin');
          await showBelow(interaction, overviewView(settings, 'Saved.'));
        },
      },
    },
  };
}
