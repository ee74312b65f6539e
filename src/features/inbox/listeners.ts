import type { ModalView } from '@slack/types';
import { turnedTo } from '../../slack/pages.ts';
import type { Routes } from '../../slack/routes.ts';
import { openWhenReady, pushWhenReady, type Visit } from '../../slack/visit.ts';
import { connectionOf } from '../connection.ts';
import { expectAllowed } from '../settings/permission.ts';
import type { UiServices } from '../ui-services.ts';
import { askForFile, findItem } from './download-order.ts';
import { itemsOf } from './items.ts';
import { pollState } from './polls.ts';
import { filesOnPage, filesView, inboxMetadata, inboxView, itemsOnPage } from './views.ts';
import { linkMessage } from './views-download.ts';
import { filesOf, fileValue } from './views-item.ts';
import { fetchingText } from './views-post.ts';

export function inboxRoutes(services: UiServices): Routes {
  const openInbox = (visit: Visit) => openWhenReady(visit, 'Inbox', () => inboxPage(services, visit, 0));
  return {
    commands: {
      inbox: { summary: 'shows what is there to download', run: openInbox },
    },
    actions: {
      'inbox.open': openInbox,
      'inbox.page': async (visit, { value }) => {
        await visit.open(await inboxPage(services, visit, turnedTo(value)));
      },
      'inbox.files': async (visit, { value }) => {
        // On top of the list of items, or by itself where a post was clicked.
        const show = visit.view === undefined ? openWhenReady : pushWhenReady;
        await show(visit, 'Files', () => filesPage(services, visit, value, 0));
      },
      'inbox.files-page': async (visit, { value }) => {
        const { item = '' } = shownIn(visit);
        await visit.open(await filesPage(services, visit, item, turnedTo(value)));
      },
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
    leftOut: polls?.leftOut,
    unit: settings.ttl.unit,
    asOf: polls?.lastSuccessAt,
    isStale: polls?.lastFailure !== undefined,
    said,
  });
}

async function filesPage(
  services: UiServices,
  visit: Visit,
  id: string,
  wanted: number,
  said?: string,
): Promise<ModalView> {
  const { settings } = await expectAllowed(services, visit.actor, 'download');
  const { item } = await findItem(services, visit.actor, id);
  const page = within(wanted, filesOf(item).length, filesOnPage);
  return filesView({ item, page, unit: settings.ttl.unit, said });
}

/** What was shown may have become less. */
function within(page: number, total: number, size: number): number {
  const last = Math.max(0, Math.ceil(total / size) - 1);
  return Math.min(page, last);
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

/** Which page of what this person is looking at. */
function shownIn(visit: Visit): { page: number; item?: string | undefined } {
  return inboxMetadata.read(visit.view?.private_metadata) ?? { page: 0 };
}

/** To this person, where they are: in the list that they look at, or beside the post. */
async function sayIn(services: UiServices, visit: Visit, said: string): Promise<void> {
  if (visit.view === undefined) return visit.tell(said);
  const { page, item } = shownIn(visit);
  const view =
    item === undefined
      ? await inboxPage(services, visit, page, said)
      : await filesPage(services, visit, item, page, said);
  await visit.open(view);
}
