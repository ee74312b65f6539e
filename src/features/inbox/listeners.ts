import { type Interaction, openWhenReady, pushWhenReady } from '../../slack/interaction.ts';
import { targetPage } from '../../slack/pages.ts';
import type { Routes } from '../../slack/routes.ts';
import type { UiServices } from '../common/ui-services.ts';
import { fetchingText } from './announce/views.ts';
import { askForFile } from './download/order.ts';
import { rememberLinkMessage } from './download/page.ts';
import { linkMessage } from './download/views.ts';
import { fileValue } from './items/views.ts';
import { filesPage, followInDialog, inboxPage, pageWith, type ShownPage } from './notify.ts';
import { refreshInbox } from './operations.ts';
import { inboxMetadata } from './views.ts';

export function inboxRoutes(services: UiServices): Routes {
  const openInbox = (interaction: Interaction) =>
    openWhenReady(interaction, 'Inbox', () => inboxPage(services, interaction.actor, 0));
  return {
    commands: {
      inbox: { summary: "View files you've received", run: openInbox },
    },
    actions: {
      'inbox.open': openInbox,
      'inbox.page': async (interaction, { value }) => {
        const { isNew } = currentPage(interaction);
        await interaction.open(await inboxPage(services, interaction.actor, targetPage(value), { isNew }));
      },
      'inbox.refresh': async (interaction) => {
        await refreshInbox(services, interaction.actor);
        const { page, isNew } = currentPage(interaction);
        await interaction.open(await inboxPage(services, interaction.actor, page, { isNew }));
      },
      'inbox.filter': async (interaction, { value }) => {
        await interaction.open(await inboxPage(services, interaction.actor, 0, { isNew: value === 'new' }));
      },
      'inbox.files': async (interaction, { value }) => {
        // On top of the inbox modal, or in a new modal if the button was in a post.
        const show = interaction.view === undefined ? openWhenReady : pushWhenReady;
        await show(interaction, 'Files', () => filesPage(services, interaction.actor, value, 0));
      },
      'inbox.files-page': async (interaction, { value }) => {
        const { item = '' } = currentPage(interaction);
        await interaction.open(await filesPage(services, interaction.actor, item, targetPage(value)));
      },
      'inbox.download': (interaction, { value }) => download(services, interaction, value),
    },
  };
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
  const shown = interaction.view && interaction.shownView();
  if (shown === undefined) return;
  const dialog = { view: shown.id, hash: shown.hash, ...currentPage(interaction) };
  await followInDialog(services, interaction.actor, answer, dialog);
}

/** The page in the open modal: of the inbox, or of one item's files. */
function currentPage(interaction: Interaction): ShownPage {
  return inboxMetadata.read(interaction.view?.private_metadata) ?? { page: 0 };
}

/** Shows the result of a click to this person only: in the open modal, or below the post. */
async function showNotice(services: UiServices, interaction: Interaction, notice: string): Promise<void> {
  if (interaction.view === undefined) return interaction.reply(notice);
  await interaction.open(await pageWith(services, interaction.actor, currentPage(interaction), notice));
}
