import type { ModalView } from '@slack/types';
import { DroplineError } from '../../errors.ts';
import type { Routes } from '../../slack/routes.ts';
import { loadingView } from '../../slack/views.ts';
import { openWhenReady, type Visit } from '../../slack/visit.ts';
import { connectionOf } from '../connection.ts';
import { expectAllowed } from '../settings/permission.ts';
import type { UiServices } from '../ui-services.ts';
import { askForFile, findItem } from './download-order.ts';
import { itemsOf } from './items.ts';
import { pollState } from './polls.ts';
import { filesOnPage, filesView, inboxMetadata, inboxView, itemsOnPage } from './views.ts';
import { linkMessage } from './views-download.ts';
import { filesOf, fileValue, itemValue } from './views-item.ts';
import { fetchingText } from './views-post.ts';

export function inboxRoutes(services: UiServices): Routes {
  const openInbox = (visit: Visit) => openWhenReady(visit, 'Inbox', () => inboxPage(services, visit, 0));
  return {
    commands: {
      inbox: { summary: 'shows what is there to download', run: openInbox },
    },
    actions: {
      'inbox.open': openInbox,
      'inbox.page': async (visit, { value }) => visit.open(await inboxPage(services, visit, Number(value))),
      'inbox.files': async (visit, { value }) => {
        // On top of the list of items, or by itself where a post was clicked.
        if (visit.view === undefined) return openWhenReady(visit, 'Files', () => filesPage(services, visit, value));
        await visit.push(loadingView('Files'));
        await visit.open(await filesPage(services, visit, value));
      },
      'inbox.files-page': async (visit, { value }) => visit.open(await filesPage(services, visit, value)),
      'inbox.download': (visit, { value }) => download(services, visit, value),
    },
  };
}

async function inboxPage(services: UiServices, visit: Visit, wanted: number, said?: string): Promise<ModalView> {
  const { actor } = visit;
  const { settings } = await expectAllowed(services, actor, 'download');
  const { account } = (await connectionOf(services, actor.workspace)).exchange;
  const { store } = services;
  const ledger = itemsOf(store, actor.workspace, account);
  const [total, polls] = await Promise.all([ledger.countThere(), pollState(store.pool, actor.workspace)]);
  const page = within(wanted, total, itemsOnPage);
  const known = await ledger.list(itemsOnPage, page * itemsOnPage);
  return inboxView({
    items: known.map(({ item }) => item),
    page,
    total,
    unit: settings.ttl.unit,
    asOf: polls?.lastSuccessAt,
    isStale: polls?.lastFailure !== undefined,
    said,
  });
}

async function filesPage(services: UiServices, visit: Visit, value: string, said?: string): Promise<ModalView> {
  const { settings } = await expectAllowed(services, visit.actor, 'download');
  const wanted = itemValue.read(value);
  if (wanted === undefined) throw new DroplineError('not-found', 'This button is too old. Type /drop inbox instead.');
  const { item } = await findItem(services, visit.actor, wanted.item);
  const page = within(wanted.page, filesOf(item).length, filesOnPage);
  return filesView({ item, page, unit: settings.ttl.unit, said });
}

/** What was shown may have become less. */
function within(page: number, total: number, size: number): number {
  const last = Math.max(0, Math.ceil(total / size) - 1);
  return Number.isInteger(page) ? Math.min(Math.max(page, 0), last) : 0;
}

async function download(services: UiServices, visit: Visit, value: string): Promise<void> {
  const wanted = fileValue.read(value);
  const asked = await askForFile(services, visit.actor, wanted && { ...wanted, post: visit.message });
  if ('link' in asked) {
    const { text, blocks } = linkMessage(asked, asked.link);
    await visit.write(text, blocks);
    return sayIn(services, visit, 'The link is in a direct message from me.');
  }
  await sayIn(services, visit, fetchingText(asked.name, asked.isInThread));
}

/** To this person, where they are: in the list that they look at, or beside the post. */
async function sayIn(services: UiServices, visit: Visit, said: string): Promise<void> {
  if (visit.view === undefined) return visit.tell(said);
  const { page = 0, item } = inboxMetadata.read(visit.view.private_metadata) ?? {};
  const view =
    item === undefined
      ? await inboxPage(services, visit, page, said)
      : await filesPage(services, visit, itemValue.write({ item, page }), said);
  await visit.open(view);
}
