import { line } from '../../../slack/blocks.ts';
import { type Interaction, openWhenReady, pushWhenReady, updateView } from '../../../slack/interaction.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import type { Actor } from '../../common/services.ts';
import type { UiServices } from '../../common/ui-services.ts';
import { fileGone } from '../errors.ts';
import { inboxPage } from '../notify.ts';
import { inboxMetadata } from '../views.ts';
import { finishItem, readItemToTakeOver, reopenItem, takeItem, takeOverItem, type WorkResult } from './operations.ts';
import { resultPieces, resultText, takeOverMetadata, takeOverView, workResultView } from './views.ts';

/**
 * Take, Done, Reopen and Take over, on posts and in the inbox.
 *
 * @param refreshHome updates Home, which lists the items that the person has taken
 */
export function workRoutes(services: UiServices, refreshHome: (actor: Actor) => Promise<void>): Routes {
  const click =
    (change: (services: UiServices, actor: Actor, id: string) => Promise<WorkResult>) =>
    async (interaction: Interaction, { value }: { value: string }) => {
      const { actor } = interaction;
      const result = await change(services, actor, value);
      await showResult(services, interaction, result);
      const isOwn = result.isChanged && result.item.work?.taken?.person === actor.person;
      if (isOwn && interaction.view !== undefined) await refreshHome(actor);
    };
  return {
    actions: {
      'inbox.take': click(takeItem),
      'inbox.done': click(finishItem),
      'inbox.reopen': click(reopenItem),
      'inbox.take-over': (interaction, { value }) => {
        const show = interaction.view === undefined ? openWhenReady : pushWhenReady;
        const below = inboxMetadata.read(interaction.view?.private_metadata);
        return show(interaction, 'Take over?', async () =>
          takeOverView(await readItemToTakeOver(services, interaction.actor, value), interaction.actor.person, below),
        );
      },
    },
    forms: {
      'inbox.take-over': {
        submit: ({ actor }, _, metadata) => submitTakeOver(services, actor, metadata),
        after: async (interaction) => {
          await showBelow(services, interaction);
          await refreshHome(interaction.actor);
        },
      },
    },
  };
}

/** Shows the result to this person only: in the inbox, or below the post. The post itself is updated by a job. */
async function showResult(services: UiServices, interaction: Interaction, { item }: WorkResult): Promise<void> {
  const { actor, view } = interaction;
  const notice = resultPieces(item, actor.person);
  if (view === undefined) return interaction.reply(resultText(item, actor.person), [line(...notice)]);
  const page = inboxMetadata.read(view.private_metadata) ?? { page: 0 };
  await interaction.open(await inboxPage(services, actor, page, notice));
}

async function submitTakeOver(services: UiServices, actor: Actor, metadata: string): Promise<FormAnswer> {
  const form = takeOverMetadata.read(metadata);
  if (form === undefined) throw fileGone();
  const { item } = await takeOverItem(services, actor, form.item, form.holder);
  return { view: workResultView(item, actor.person), done: resultText(item, actor.person), after: '' };
}

/** Updates the inbox below the form. */
async function showBelow(services: UiServices, { actor, client, view }: Interaction): Promise<void> {
  const { below } = takeOverMetadata.read(view?.private_metadata) ?? {};
  const root = view?.root_view_id;
  if (below === undefined || typeof root !== 'string' || root === view?.id) return;
  await updateView(client, { id: root }, await inboxPage(services, actor, below));
}
