import { isDirect } from '../../lib/conversations.ts';
import { line, type Piece } from '../../slack/blocks.ts';
import { withFieldIds } from '../../slack/field-ids.ts';
import { type Interaction, openOrPushWhenReady, updateView } from '../../slack/interaction.ts';
import { targetPage } from '../../slack/pages.ts';
import type { FormAnswer, Routes } from '../../slack/routes.ts';
import { deskOf } from '../common/connection.ts';
import { postLink } from '../common/delivery/links.ts';
import { shownName } from '../common/delivery/shown-file.ts';
import { readSearch, typedSearch } from '../common/search/form.ts';
import type { Actor } from '../common/services.ts';
import type { ListenerServices } from '../common/slack-services.ts';
import { followBatchInDialog, followInDialog } from './download/notify.ts';
import { removeInfectedMark } from './download/operations.ts';
import { batchText, downloadStartText } from './download/views.ts';
import { fileGone } from './items/errors.ts';
import type { ShownPage } from './items/search.ts';
import { workFilters } from './items/search.ts';
import { allValue, fileValue } from './items/views.ts';
import { filesPage, inboxPage, pageWith } from './list/modal.ts';
import { inboxMetadata } from './list/views.ts';
import { askForAll, askForFile } from './orders/operations.ts';
import { isPolled, refreshInbox, untilPolled } from './poll/operations.ts';
import {
  finishItem,
  readItemToTakeOver,
  reopenItem,
  takeItem,
  takeOverItem,
  type WorkResult,
} from './work/operations.ts';
import { resultPieces, resultText, takeOverMetadata, takeOverView, workResultView } from './work/views.ts';

export function inboxRoutes(services: ListenerServices): Routes {
  const openInbox = async (interaction: Interaction, filter: Partial<ShownPage>) => {
    await interaction.openLoading('Inbox');
    await showPage(services, interaction, { page: 0, ...filter });
  };
  const show = (interaction: Interaction, change: Partial<ShownPage> = {}) =>
    showPage(services, interaction, { ...currentPage(interaction), ...change });
  const changeWork =
    (change: (services: ListenerServices, actor: Actor, id: string) => Promise<WorkResult>) =>
    async (interaction: Interaction, { value }: { value: string }) => {
      const { actor } = interaction;
      const { item, isChanged } = await change(services, actor, value);
      const { person } = actor;
      await showNotice(services, interaction, resultText(item, person), resultPieces(item, person));
      const isOwn = isChanged && item.work?.taken?.person === person;
      // Home lists the items that the person has taken.
      if (isOwn && interaction.view !== undefined) await services.refreshHome(actor);
    };
  return {
    commands: {
      inbox: {
        usage: '[words]',
        summary: "View files you've received",
        run: (interaction, args) => openInbox(interaction, typedSearch(args)),
      },
    },
    forms: {
      'inbox.form': {
        submit: async (interaction, filled) => {
          const { isNew, work } = currentPage(interaction);
          const { person: _, ...search } = readSearch(filled);
          return { view: await inboxPage(services, interaction.actor, { page: 0, isNew, work, ...search }) };
        },
      },
      'inbox.take-over': {
        submit: ({ actor }, _, metadata) => submitTakeOver(services, actor, metadata),
        after: async (interaction) => {
          await showBelow(services, interaction);
          await services.refreshHome(interaction.actor);
        },
      },
    },
    actions: {
      'inbox.open': (interaction, { value }) => openInbox(interaction, filterOf(value)),
      'inbox.page': (interaction, { value }) => show(interaction, { page: targetPage(value) }),
      'inbox.refresh': async (interaction) => {
        await refreshInbox(services, interaction.actor);
        await show(interaction);
      },
      'inbox.filter': (interaction, { value }) => show(interaction, { page: 0, ...filterOf(value) }),
      'inbox.files': (interaction, { value }) =>
        openOrPushWhenReady(interaction, 'Files', () => filesPage(services, interaction.actor, value, 0)),
      'inbox.files-page': async (interaction, { value }) => {
        const { item = '' } = currentPage(interaction);
        await interaction.update(await filesPage(services, interaction.actor, item, targetPage(value)));
      },
      'inbox.all': (interaction, { value }) => downloadAllInTurn(services, interaction, value),
      'inbox.download': (interaction, { value }) => download(services, interaction, value),
      'inbox.clean': async (interaction, { value }) => {
        const name = await removeInfectedMark(services, interaction.actor, fileValue.read(value));
        const notice = `“${shownName(name)}” is no longer marked. The next download scans it.`;
        await showNotice(services, interaction, notice);
      },
      'inbox.take': changeWork(takeItem),
      'inbox.done': changeWork(finishItem),
      'inbox.reopen': changeWork(reopenItem),
      'inbox.take-over': (interaction, { value }) =>
        openOrPushWhenReady(interaction, 'Take over?', async () => {
          const below = inboxMetadata.read(interaction.view?.private_metadata);
          return takeOverView(
            await readItemToTakeOver(services, interaction.actor, value),
            interaction.actor.person,
            below,
          );
        }),
    },
  };
}

/** Shows a page of the inbox. Before the first poll, shows it again when the poll is done. */
async function showPage(services: ListenerServices, interaction: Interaction, shownPage: ShownPage): Promise<void> {
  const { actor, client } = interaction;
  const wasPolled = await isPolled(services, actor);
  const build = () => inboxPage(services, actor, shownPage);
  await interaction.update(await build());
  const shown = interaction.shownView();
  if (wasPolled || shown === undefined || !(await untilPolled(services, await deskOf(services, actor)))) return;
  // Has no effect if the modal was closed or shows something else now.
  await updateView(client, shown, interaction.stamped(withFieldIds(await build())));
}

/** The filter of a button's value. Unknown values show everything. */
const filterOf = (value: string) => ({
  isNew: value === 'new',
  work: workFilters.find((filter) => filter === value),
});

async function download(services: ListenerServices, interaction: Interaction, value: string): Promise<void> {
  const { actor, message } = interaction;
  const file = fileValue.read(value);
  const isRetry = file?.again === true && message !== undefined && isDirect(message.channel);
  const progress = isRetry ? { channel: message.channel, ts: message.ts } : undefined;
  const requested = file && { item: file.item, file: file.file, thread: threadOf(message), message: progress };
  const answer = await askForFile(services, actor, requested);
  if ('link' in answer) {
    await postLink(services, interaction.actor, answer, answer.link);
    return showNotice(services, interaction, 'I sent you the link in a direct message.');
  }
  await showNotice(services, interaction, downloadStartText(answer.name, answer.isInThread));
  const dialog = shownDialog(interaction);
  if (dialog !== undefined) await followInDialog(services, interaction.actor, answer, dialog);
}

/** The thread to deliver to. A post in a direct message has one only if it answers a request. */
function threadOf(message: Interaction['message']) {
  if (message === undefined) return undefined;
  const { channel, ts, threadTs = ts } = message;
  return isDirect(channel) && threadTs === ts ? undefined : { channel, ts: threadTs };
}

const lockTimeoutMs = 30_000;

/** Handles one click at a time per modal, so that its batch has the files and the hash of the view shown last. */
function downloadAllInTurn(services: ListenerServices, interaction: Interaction, value: string): Promise<void> {
  const { view } = interaction;
  if (view === undefined) return downloadAll(services, interaction, value);
  return services.store.withLock(`download all ${view.id}`, AbortSignal.timeout(lockTimeoutMs), () =>
    downloadAll(services, interaction, value),
  );
}

/** Orders the files of one item, or of all items in the list. */
async function downloadAll(services: ListenerServices, interaction: Interaction, value: string): Promise<void> {
  const { items } = allValue.read(value) ?? { items: [] };
  const clicked = { thread: threadOf(interaction.message), dialog: interaction.view?.id };
  const answer = await askForAll(services, interaction.actor, items, clicked);
  for (const fileAnswer of answer.answers)
    if ('link' in fileAnswer) await postLink(services, interaction.actor, fileAnswer, fileAnswer.link);
  await showNotice(services, interaction, batchText(answer));
  const dialog = shownDialog(interaction);
  const isOrdered = answer.answers.some((fileAnswer) => !('link' in fileAnswer));
  if (dialog !== undefined && answer.batch !== undefined && isOrdered)
    await followBatchInDialog(services, interaction.actor, answer.batch, dialog);
}

/** The modal as it is shown now; undefined after a click in a post. */
function shownDialog(interaction: Interaction) {
  const shownView = interaction.view && interaction.shownView();
  return shownView && { view: shownView.id, hash: shownView.hash, ...currentPage(interaction) };
}

/** The page in the open modal: of the inbox, or of one item's files. */
function currentPage(interaction: Interaction): ShownPage {
  return inboxMetadata.read(interaction.view?.private_metadata) ?? { page: 0 };
}

/** Shows the result of a click to this person only: in the open modal, or below the post. */
async function showNotice(
  services: ListenerServices,
  interaction: Interaction,
  text: string,
  pieces?: Piece[],
): Promise<void> {
  if (interaction.view === undefined) return interaction.reply(text, pieces && [line(...pieces)]);
  await interaction.update(await pageWith(services, interaction.actor, currentPage(interaction), pieces ?? text));
}

async function submitTakeOver(services: ListenerServices, actor: Actor, metadata: string): Promise<FormAnswer> {
  const form = takeOverMetadata.read(metadata);
  if (form === undefined) throw fileGone();
  const { item } = await takeOverItem(services, actor, form.item, form.holder);
  return { view: workResultView(item, actor.person), done: resultText(item, actor.person), after: '' };
}

/** Updates the inbox below the form. */
async function showBelow(services: ListenerServices, { actor, client, view, stamped }: Interaction): Promise<void> {
  const { below } = takeOverMetadata.read(view?.private_metadata) ?? {};
  const root = view?.root_view_id;
  if (below === undefined || typeof root !== 'string' || root === view?.id) return;
  await updateView(client, { id: root }, stamped(await inboxPage(services, actor, below)));
}
