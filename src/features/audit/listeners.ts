import type { ModalView } from '@slack/types';
import { type Interaction, openWhenReady, pushWhenReady } from '../../slack/interaction.ts';
import type { Routes } from '../../slack/routes.ts';
import { doneView } from '../../slack/views.ts';
import { queueExport } from '../common/export.ts';
import type { UiServices } from '../common/ui-services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { auditExport } from './export.ts';
import { auditActions, readAudit } from './operations.ts';
import { type AuditChoice, auditMetadata, auditView, chosenAction, exportingText, pageSize } from './views.ts';

export function auditRoutes(services: UiServices): Routes {
  async function show({ actor }: Interaction, choice: AuditChoice, before?: number): Promise<ModalView> {
    const [knownActions, entries] = await Promise.all([
      auditActions(services, actor),
      readAudit(services, actor, { ...choice, before, limit: pageSize + 1 }),
    ]);
    const hasMore = entries.length > pageSize;
    return auditView({
      choice,
      knownActions,
      entries: entries.slice(0, pageSize),
      hasMore,
      isFirstPage: before === undefined,
    });
  }

  return {
    commands: {
      audit: {
        summary: 'View the audit log',
        run: (interaction) => openWhenReady(interaction, 'Audit log', () => show(interaction, {})),
      },
    },
    forms: {
      'audit.form': {
        async submit(interaction, filled) {
          const [person] = filled.people('person');
          return { view: await show(interaction, { person, act: chosenAction(filled.choice('act')) }) };
        },
      },
    },
    actions: {
      'audit.page': async (interaction, { value }) => {
        const choice = auditMetadata.read(interaction.view?.private_metadata) ?? {};
        await interaction.open(await show(interaction, choice, /^\d{1,15}$/.test(value) ? Number(value) : undefined));
      },
      'audit.export': (interaction) =>
        pushWhenReady(interaction, 'Audit log', async () => {
          await expectAllowed(services, interaction.actor, 'admin');
          await queueExport(services, interaction.actor, auditExport);
          return doneView('Audit log', exportingText);
        }),
    },
  };
}
