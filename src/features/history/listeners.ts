import type { ModalView } from '@slack/types';
import { bounds } from '../../bounds.ts';
import { turnedTo } from '../../slack/pages.ts';
import type { Routes } from '../../slack/routes.ts';
import { openWhenReady, pushWhenReady, type Visit } from '../../slack/visit.ts';
import type { UiServices } from '../ui-services.ts';
import { readHistoryPage, readPastDrop } from './operations.ts';
import { dropView, historyMetadata, historyView, pageSize } from './views.ts';

/** All entries up to the page's are kept while the history is read. */

export function historyRoutes(services: UiServices): Routes {
  const show = async ({ actor }: Visit, search: string, page = 0): Promise<ModalView> =>
    historyView({ ...(await readHistoryPage(services, actor, { search, page, pageSize })), search, page });
  return {
    commands: {
      history: {
        usage: '[words]',
        summary: 'shows what was sent, to whom, when and by whom',
        run: (visit, words) => openWhenReady(visit, 'History', () => show(visit, words.join(' ').slice(0, 200))),
      },
    },
    forms: {
      'history.form': { submit: async (visit, filled) => ({ view: await show(visit, filled.text('search')) }) },
    },
    actions: {
      'history.page': async (visit, { value }) => {
        const { search } = historyMetadata.read(visit.view?.private_metadata) ?? { search: '' };
        await visit.open(await show(visit, search, Math.min(turnedTo(value), bounds.historyPages)));
      },
      'history.detail': (visit, { value }) =>
        pushWhenReady(visit, 'Dispatch', async () => dropView(await readPastDrop(services, visit.actor, value))),
    },
  };
}
