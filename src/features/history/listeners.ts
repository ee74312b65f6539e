import type { ModalView } from '@slack/types';
import { bounds } from '../../lib/bounds.ts';
import { type Interaction, openWhenReady, pushWhenReady } from '../../slack/interaction.ts';
import { targetPage } from '../../slack/pages.ts';
import type { Routes } from '../../slack/routes.ts';
import { periodOf, readSearch, typedSearch } from '../common/search/form.ts';
import type { Search } from '../common/search/search.ts';
import { withDeskSwitch } from '../settings/desks/fields.ts';
import { rightsOf } from '../settings/permission.ts';
import type { TransferUiServices } from '../transfers/shown-kind.ts';
import type { Transfer } from '../transfers/transfer.ts';
import { readHistoryPage, readPastTransfer } from './operations.ts';
import { historyMetadata, historyView, pageSize, transferView } from './views.ts';

export function historyRoutes(services: TransferUiServices): Routes {
  const show = async ({ actor }: Interaction, search: Search, page = 0): Promise<ModalView> => {
    const period = await periodOf(services.people, actor, search);
    const query = { ...search, period, page, pageSize, withUnsent: true };
    const [results, { may }] = await Promise.all([readHistoryPage(services, actor, query), rightsOf(services, actor)]);
    const editButton = (unsent: Transfer) =>
      may('own', unsent) ? services.kinds[unsent.kind].editButton(unsent) : undefined;
    return withDeskSwitch(services, actor, historyView({ ...results, search, page, editButton }), 'history');
  };
  return {
    commands: {
      history: {
        usage: '[words]',
        summary: 'View sent transfers',
        run: (interaction, args) => openWhenReady(interaction, 'History', () => show(interaction, typedSearch(args))),
      },
    },
    forms: {
      'history.form': {
        submit: async (interaction, filled) => ({ view: await show(interaction, readSearch(filled)) }),
      },
    },
    actions: {
      'history.page': async (interaction, { value }) => {
        const search = historyMetadata.read(interaction.view?.private_metadata) ?? {};
        // Limited, because all entries up to the page are in memory while the history is read.
        await interaction.update(await show(interaction, search, Math.min(targetPage(value), bounds.historyPages)));
      },
      'history.detail': (interaction, { value }) =>
        pushWhenReady(interaction, 'Transfer', async () => {
          const { own, ...shown } = await readPastTransfer(services, interaction.actor, value);
          return transferView({ ...shown, repeatButtons: own && services.kinds[own.kind].repeatButtons(own) });
        }),
    },
  };
}
