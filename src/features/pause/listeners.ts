import { type Interaction, openOrPushWhenReady } from '../../slack/interaction.ts';
import type { Routes } from '../../slack/routes.ts';
import type { Actor } from '../common/services.ts';
import type { ListenerServices } from '../common/slack-services.ts';
import { closingAnswer, updateModalsBelow } from '../settings/pages/forms.ts';
import { unknownTarget } from './errors.ts';
import { pauseNames } from './fields.ts';
import { pause, readPauses } from './operations.ts';
import type { PauseTarget } from './repository.ts';
import { pauseForm, pauseValue, pauseView, resumedReview, resumedText } from './views.ts';

/**
 * The page on which admins pause and resume sending, requests and downloads.
 *
 * @param resume ends a pause and queues what waited for that. Resolves with false if it wasn't paused
 */
export function pauseRoutes(
  services: ListenerServices,
  resume: (admin: Actor, target: PauseTarget) => Promise<boolean>,
): Routes {
  const page = async ({ actor }: Interaction, notice?: string) => pauseView(await readPauses(services, actor), notice);
  return {
    actions: {
      'pause.open': (interaction) => openOrPushWhenReady(interaction, 'Pause', () => page(interaction)),
      'pause.start': (interaction, { value }) =>
        openOrPushWhenReady(interaction, 'Pause', async () => {
          await readPauses(services, interaction.actor);
          return pauseForm(readValue(value).target);
        }),
      'pause.resume': async (interaction, { value }) => {
        const { target } = readValue(value);
        const isResumed = await resume(interaction.actor, target);
        await interaction.update(await page(interaction, isResumed ? resumedText(target) : undefined));
        await services.refreshHome(interaction.actor);
      },
      'pause.continue': async (interaction, { value }) => {
        const review = readValue(value);
        await resume(interaction.actor, review.target);
        if (interaction.view !== undefined) await interaction.update(resumedReview(interaction.view, review));
        await services.refreshHome(interaction.actor);
      },
    },
    forms: {
      'pause.form': {
        async submit(interaction, filled, metadata) {
          const { target } = readValue(metadata);
          await pause(services, interaction.actor, target, filled.text('reason').trim());
          const done = `${pauseNames[target]}: paused.`;
          return closingAnswer(interaction, await page(interaction, done), done);
        },
        async after(interaction) {
          await updateModalsBelow(interaction, await page(interaction));
          await services.refreshHome(interaction.actor);
        },
      },
    },
  };
}

function readValue(value: string) {
  const read = pauseValue.read(value);
  if (read === undefined) throw unknownTarget();
  return read;
}
