import type { ModalView } from '@slack/types';
import { bounds } from '../../bounds.ts';
import { type Interaction, openWhenReady, pushWhenReady } from '../../slack/interaction.ts';
import { targetPage } from '../../slack/pages.ts';
import type { Routes } from '../../slack/routes.ts';
import { connectionOf } from '../common/connection.ts';
import type { UiServices } from '../common/ui-services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { fetchingText } from './announce/views.ts';
import { askForFile, findItem } from './download/order.ts';
import { linkMessage } from './download/views.ts';
import { itemsIn, type KnownItem } from './items/repository.ts';
import { filesOf, fileValue } from './items/views.ts';
import { refreshInbox } from './operations.ts';
import { pollState } from './poll/repository.ts';
import { filesOnPage, filesView, inboxMetadata, inboxView, itemsOnPage } from './views.ts';

export function inboxRoutes(services: UiServices): Routes {
  const openInbox = (interaction: Interaction) =>
    openWhenReady(interaction, 'Inbox', () => inboxPage(services, interaction, 0));
  return {
    commands: {
      inbox: { summary: "View files you've received", run: openInbox },
    },
    actions: {
      'inbox.open': openInbox,
      'inbox.page': async (interaction, { value }) => {
        const { isNew } = currentPage(interaction);
        await interaction.open(await inboxPage(services, interaction, targetPage(value), { isNew }));
      },
      'inbox.refresh': async (interaction) => {
        await refreshInbox(services, interaction.actor);
        const { page, isNew } = currentPage(interaction);
        await interaction.open(await inboxPage(services, interaction, page, { isNew }));
      },
      'inbox.filter': async (interaction, { value }) => {
        await interaction.open(await inboxPage(services, interaction, 0, { isNew: value === 'new' }));
      },
      'inbox.files': async (interaction, { value }) => {
        // On top of the inbox modal, or in a new modal if the button was in a post.
        const show = interaction.view === undefined ? openWhenReady : pushWhenReady;
        await show(interaction, 'Files', () => filesPage(services, interaction, value, 0));
      },
      'inbox.files-page': async (interaction, { value }) => {
        const { item = '' } = currentPage(interaction);
        await interaction.open(await filesPage(services, interaction, item, targetPage(value)));
      },
      'inbox.download': (interaction, { value }) => download(services, interaction, value),
    },
  };
}

async function inboxPage(
  services: UiServices,
  interaction: Interaction,
  requestedPage: number,
  { isNew, notice }: { isNew?: boolean | undefined; notice?: string | undefined } = {},
): Promise<ModalView> {
  const { actor } = interaction;
  const { settings } = await expectAllowed(services, actor, 'download');
  const { account } = (await connectionOf(services, actor.workspace)).exchange;
  const { store } = services;
  const repository = itemsIn(store, actor.workspace, account);
  const polls = await pollState(store.pool, actor.workspace);
  const filtered = isNew ? (await repository.list(bounds.inboxItems, 0)).filter(hasNewFiles) : undefined;
  const total = filtered?.length ?? (await repository.countPresent());
  const page = clampPage(requestedPage, total, itemsOnPage);
  const start = page * itemsOnPage;
  const rows = filtered?.slice(start, start + itemsOnPage) ?? (await repository.list(itemsOnPage, start));
  return inboxView({
    items: rows.map(({ item }) => item),
    page,
    total,
    isNew,
    leftOut: polls?.leftOut,
    unit: settings.ttl.unit,
    asOf: polls?.lastSuccessAt,
    lastFailure: polls?.lastFailure,
    notice,
  });
}

/** Whether nobody has downloaded one of the files. */
function hasNewFiles({ item }: KnownItem): boolean {
  const downloaded = new Set(item.downloads.map(({ file }) => file));
  return item.files.some((file) => !downloaded.has(file));
}

async function filesPage(
  services: UiServices,
  interaction: Interaction,
  id: string,
  requestedPage: number,
  notice?: string,
): Promise<ModalView> {
  const { settings } = await expectAllowed(services, interaction.actor, 'download');
  const { item } = await findItem(services, interaction.actor, id);
  const page = clampPage(requestedPage, filesOf(item).length, filesOnPage);
  return filesView({ item, page, unit: settings.ttl.unit, notice });
}

/** The last page if the requested one is gone, because the list has become shorter. */
function clampPage(page: number, total: number, size: number): number {
  const last = Math.max(0, Math.ceil(total / size) - 1);
  return Math.min(page, last);
}

async function download(services: UiServices, interaction: Interaction, value: string): Promise<void> {
  const requested = fileValue.read(value);
  const answer = await askForFile(
    services,
    interaction.actor,
    requested && { ...requested, post: interaction.message },
  );
  if ('link' in answer) {
    const { text, blocks } = linkMessage(answer, answer.link);
    await interaction.write(text, blocks);
    return showNotice(services, interaction, 'I sent you the link in a direct message.');
  }
  await showNotice(services, interaction, fetchingText(answer.name, answer.isInThread));
}

/** The page in the open modal: of the inbox, or of one item's files. */
function currentPage(interaction: Interaction): NonNullable<ReturnType<typeof inboxMetadata.read>> {
  return inboxMetadata.read(interaction.view?.private_metadata) ?? { page: 0 };
}

/** Shows the result of a click to this person only: in the open modal, or below the post. */
async function showNotice(services: UiServices, interaction: Interaction, notice: string): Promise<void> {
  if (interaction.view === undefined) return interaction.reply(notice);
  const { page, item, isNew } = currentPage(interaction);
  const view =
    item === undefined
      ? await inboxPage(services, interaction, page, { isNew, notice })
      : await filesPage(services, interaction, item, page, notice);
  await interaction.open(view);
}
