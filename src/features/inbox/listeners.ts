import type { ModalView } from '@slack/types';
import { type Interaction, openWhenReady, pushWhenReady } from '../../slack/interaction.ts';
import { turnedTo } from '../../slack/pages.ts';
import type { Routes } from '../../slack/routes.ts';
import { connectionOf } from '../common/connection/connection.ts';
import type { UiServices } from '../common/ui-services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { fetchingText } from './announce/views.ts';
import { askForFile, findItem } from './download/order.ts';
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
      inbox: { summary: 'shows what is there to download', run: openInbox },
    },
    actions: {
      'inbox.open': openInbox,
      'inbox.page': async (interaction, { value }) => {
        await interaction.open(await inboxPage(services, interaction, turnedTo(value)));
      },
      'inbox.files': async (interaction, { value }) => {
        // On top of the item list, or in a new modal if a post was clicked.
        const show = interaction.view === undefined ? openWhenReady : pushWhenReady;
        await show(interaction, 'Files', () => filesPage(services, interaction, value, 0));
      },
      'inbox.files-page': async (interaction, { value }) => {
        const { item = '' } = shownIn(interaction);
        await interaction.open(await filesPage(services, interaction, item, turnedTo(value)));
      },
      'inbox.download': (interaction, { value }) => download(services, interaction, value),
    },
  };
}

async function inboxPage(
  services: UiServices,
  interaction: Interaction,
  wanted: number,
  said?: string,
): Promise<ModalView> {
  const { actor } = interaction;
  const { settings } = await expectAllowed(services, actor, 'download');
  const { account } = (await connectionOf(services, actor.workspace)).exchange;
  const { store } = services;
  const repository = itemsIn(store, actor.workspace, account);
  const [total, polls] = await Promise.all([repository.countThere(), pollState(store.pool, actor.workspace)]);
  const page = within(wanted, total, itemsOnPage);
  const known = await repository.list(itemsOnPage, page * itemsOnPage);
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
  interaction: Interaction,
  id: string,
  wanted: number,
  said?: string,
): Promise<ModalView> {
  const { settings } = await expectAllowed(services, interaction.actor, 'download');
  const { item } = await findItem(services, interaction.actor, id);
  const page = within(wanted, filesOf(item).length, filesOnPage);
  return filesView({ item, page, unit: settings.ttl.unit, said });
}

/** The list can be shorter than when it was shown. */
function within(page: number, total: number, size: number): number {
  const last = Math.max(0, Math.ceil(total / size) - 1);
  return Math.min(page, last);
}

async function download(services: UiServices, interaction: Interaction, value: string): Promise<void> {
  const wanted = fileValue.read(value);
  const asked = await askForFile(services, interaction.actor, wanted && { ...wanted, post: interaction.message });
  if ('link' in asked) {
    const { text, blocks } = linkMessage(asked, asked.link);
    await interaction.write(text, blocks);
    return sayIn(services, interaction, 'The link is in a direct message from me.');
  }
  await sayIn(services, interaction, fetchingText(asked.name, asked.isInThread));
}

/** The page, and the item if any, that the person is looking at. */
function shownIn(interaction: Interaction): { page: number; item?: string | undefined } {
  return inboxMetadata.read(interaction.view?.private_metadata) ?? { page: 0 };
}

/** Answers only this person, where they are: in the open list, or next to the post. */
async function sayIn(services: UiServices, interaction: Interaction, said: string): Promise<void> {
  if (interaction.view === undefined) return interaction.reply(said);
  const { page, item } = shownIn(interaction);
  const view =
    item === undefined
      ? await inboxPage(services, interaction, page, said)
      : await filesPage(services, interaction, item, page, said);
  await interaction.open(view);
}
