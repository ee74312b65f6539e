import type { ModalView } from '@slack/types';
import type { Routes } from '../../slack/routes.ts';
import { doneView } from '../../slack/views.ts';
import { openWhenReady, pushWhenReady, type Visit } from '../../slack/visit.ts';
import { expectAllowed } from '../settings/permission.ts';
import { askForTable } from '../table-export.ts';
import type { UiServices } from '../ui-services.ts';
import { auditExport } from './export.ts';
import { auditedActs, readAudit } from './operations.ts';
import { type AuditChoice, auditMetadata, auditView, chosenAct, exportingText, pageSize } from './views.ts';

export function auditRoutes(services: UiServices): Routes {
  async function show({ actor }: Visit, choice: AuditChoice, before?: number): Promise<ModalView> {
    const [acts, entries] = await Promise.all([
      auditedActs(services, actor),
      readAudit(services, actor, { ...choice, before, limit: pageSize + 1 }),
    ]);
    const hasMore = entries.length > pageSize;
    return auditView({
      choice,
      acts,
      entries: entries.slice(0, pageSize),
      hasMore,
      isFirstPage: before === undefined,
    });
  }

  return {
    commands: {
      audit: {
        summary: 'shows who did what, when and with what outcome (admins)',
        run: (visit) => openWhenReady(visit, 'Audit', () => show(visit, {})),
      },
    },
    forms: {
      'audit.form': {
        async submit(visit, filled) {
          const [person] = filled.people('person');
          return { view: await show(visit, { person, act: chosenAct(filled.choice('act')) }) };
        },
      },
    },
    actions: {
      'audit.page': async (visit, { value }) => {
        const choice = auditMetadata.read(visit.view?.private_metadata) ?? {};
        await visit.open(await show(visit, choice, /^\d{1,15}$/.test(value) ? Number(value) : undefined));
      },
      'audit.export': (visit) =>
        pushWhenReady(visit, 'Audit', async () => {
          await expectAllowed(services, visit.actor, 'admin');
          await askForTable(services, visit.actor, auditExport);
          return doneView('Audit', exportingText);
        }),
    },
  };
}
