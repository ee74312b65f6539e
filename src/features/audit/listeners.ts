import type { ModalView } from '@slack/types';
import { type Interaction, openWhenReady, pushWhenReady } from '../../slack/interaction.ts';
import type { Routes } from '../../slack/routes.ts';
import { doneView } from '../../slack/views.ts';
import type { AuditEntry } from '../../store/index.ts';
import { queueExport } from '../common/delivery/export.ts';
import { periodOf, readSearch, typedSearch } from '../common/search/form.ts';
import { textMatcher } from '../common/search/search.ts';
import type { ListenerServices } from '../common/slack-services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { auditExport } from './export.ts';
import { searchAudit } from './operations.ts';
import { type AuditChoice, allActions, auditMetadata, auditView, pageSize, textsOf } from './views.ts';

function entryMatcher(search: string): (entry: AuditEntry) => boolean {
  const matches = textMatcher(search);
  // What an entry that can't be trusted said is unknown, so it matches.
  return (entry) => entry.details === undefined || matches(textsOf(entry));
}

export function auditRoutes(services: ListenerServices): Routes {
  async function load({ actor }: Interaction, choice: AuditChoice, before?: number): Promise<ModalView> {
    const { person, action, search = '' } = choice;
    const { from, to } = await periodOf(services.people, actor, choice);
    const dateOf = (time: number | undefined) => (time === undefined ? undefined : new Date(time));
    const filter = { person, action, from: dateOf(from), to: dateOf(to), before, limit: pageSize };
    const results = await searchAudit(services, actor, filter, search === '' ? undefined : entryMatcher(search));
    const daysKept = await services.store.chains.daysKept(actor.workspace);
    return auditView({ ...results, choice, isFirstPage: before === undefined, daysKept });
  }

  return {
    commands: {
      audit: {
        usage: '[words]',
        summary: 'View the audit log',
        run: (interaction, args) => openWhenReady(interaction, 'Audit log', () => load(interaction, typedSearch(args))),
      },
    },
    forms: {
      'audit.form': {
        async submit(interaction, filled) {
          const action = filled.choice('action');
          const chosen = action === allActions ? undefined : action;
          return { view: await load(interaction, { ...readSearch(filled), action: chosen }) };
        },
      },
    },
    actions: {
      'audit.page': async (interaction, { value }) => {
        const choice = auditMetadata.read(interaction.view?.private_metadata) ?? {};
        await interaction.update(await load(interaction, choice, /^\d{1,15}$/.test(value) ? Number(value) : undefined));
      },
      'audit.export': (interaction) =>
        pushWhenReady(interaction, 'Audit log', async () => {
          await expectAllowed(services, interaction.actor, 'audit');
          await queueExport(services, interaction.actor, auditExport);
          return doneView('Audit log', "I'll send you the CSV in a direct message.");
        }),
    },
  };
}
