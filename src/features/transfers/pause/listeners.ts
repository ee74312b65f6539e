import { type Interaction, openOrPushWhenReady } from '../../../slack/interaction.ts';
import type { Routes } from '../../../slack/routes.ts';
import { closingAnswer, updateModalsBelow } from '../../settings/pages/forms.ts';
import { unknownTarget } from '../../settings/pause/errors.ts';
import { pauseNames } from '../../settings/pause/fields.ts';
import { type PauseTarget, pauseTargets } from '../../settings/pause/repository.ts';
import { pauseForm, pauseMetadata, pauseView, resumedReview, resumedText } from '../../settings/pause/views.ts';
import type { TransferUiServices } from '../shown-kind.ts';
import { pause, readPauses, resume } from './operations.ts';

/** The page on which admins pause and resume sending, requests and downloads. */
export function pauseRoutes(services: TransferUiServices): Routes {
  const page = async ({ actor }: Interaction, notice?: string) => pauseView(await readPauses(services, actor), notice);
  return {
    actions: {
      'pause.open': (interaction) => openOrPushWhenReady(interaction, 'Pause', () => page(interaction)),
      'pause.start': (interaction, { value }) =>
        openOrPushWhenReady(interaction, 'Pause', async () => {
          await readPauses(services, interaction.actor);
          return pauseForm(targetIn(value));
        }),
      'pause.resume': async (interaction, { value }) => {
        const target = targetIn(value);
        const isResumed = await resume(services, interaction.actor, target);
        await interaction.update(await page(interaction, isResumed ? resumedText(target) : undefined));
        await services.refreshHome(interaction.actor);
      },
      'pause.continue': async (interaction, { value }) => {
        const [targetName = '', ...labelWords] = value.split(' ');
        const target = targetIn(targetName);
        const submitLabel = labelWords.join(' ');
        await resume(services, interaction.actor, target);
        if (interaction.view !== undefined)
          await interaction.update(resumedReview(interaction.view, target, submitLabel));
        await services.refreshHome(interaction.actor);
      },
    },
    forms: {
      'pause.form': {
        async submit(interaction, filled, metadata) {
          const { target } = pauseMetadata.read(metadata) ?? {};
          if (target === undefined) throw unknownTarget();
          await pause(services, interaction.actor, target, filled.text('reason').trim());
          const done = pausedNotice(target);
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

const pausedNotice = (target: PauseTarget) => `${pauseNames[target]}: paused.`;

function targetIn(value: string): PauseTarget {
  const target = pauseTargets.find((candidate) => candidate === value);
  if (target === undefined) throw unknownTarget();
  return target;
}
