import type { ModalView } from '@slack/types';
import { type Interaction, openWhenReady, pushWhenReady } from '../../slack/interaction.ts';
import { targetPage } from '../../slack/pages.ts';
import type { Routes } from '../../slack/routes.ts';
import { connectionOf } from '../common/connection.ts';
import type { UiServices } from '../common/ui-services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { fetchingText } from './announce/views.ts';
import { askForFile, findItem } from './download/order.ts';
import { rememberLinkMessage } from './download/page.ts';
import { linkMessage } from './download/views.ts';
import { itemsIn } from './items/repository.ts';
import { filesOf, fileValue } from './items/views.ts';
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
        await interaction.open(await inboxPage(services, interaction, targetPage(value)));
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
  notice?: string,
): Promise<ModalView> {
  const { actor } = interaction;
  const { settings } = await expectAllowed(services, actor, 'download');
  const { account } = (await connectionOf(services, actor.workspace)).exchange;
  const { store } = services;
  const repository = itemsIn(store, actor.workspace, account);
  const [total, polls] = await Promise.all([repository.countPresent(), pollState(store.pool, actor.workspace)]);
  const page = clampPage(requestedPage, total, itemsOnPage);
  const rows = await repository.list(itemsOnPage, page * itemsOnPage);
  return inboxView({
    items: rows.map(({ item }) => item),
    page,
    total,
    leftOut: polls?.leftOut,
    unit: settings.ttl.unit,
    asOf: polls?.lastSuccessAt,
    lastFailure: polls?.lastFailure,
    notice,
  });
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
    const location = await interaction.write(text, blocks);
    await rememberLinkMessage(services, interaction.actor.workspace, answer.link, location);
    return showNotice(services, interaction, 'I sent you the link in a direct message.');
  }
  await showNotice(services, interaction, fetchingText(answer.name, answer.isInThread));
}

/** The page in the open modal: of the inbox, or of one item's files. */
function currentPage(interaction: Interaction): { page: number; item?: string | undefined } {
  return inboxMetadata.read(interaction.view?.private_metadata) ?? { page: 0 };
}

/** Shows the result of a click to this person only: in the open modal, or below the post. */
async function showNotice(services: UiServices, interaction: Interaction, notice: string): Promise<void> {
  if (interaction.view === undefined) return interaction.reply(notice);
  const { page, item } = currentPage(interaction);
  const view =
    item === undefined
      ? await inboxPage(services, interaction, page, notice)
      : await filesPage(services, interaction, item, page, notice);
  await interaction.open(view);
}
