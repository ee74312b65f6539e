import { type Interaction, openOrPushWhenReady } from '../../../slack/interaction.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import type { UiServices } from '../../common/ui-services.ts';
import { inboxChannels } from '../fields.ts';
import { closingAnswer, updateModalsBelow } from '../pages/forms.ts';
import { expectAllowed } from '../permission.ts';
import { overviewView } from '../views.ts';
import { channelNotUsed } from './errors.ts';
import { digestForm, digestMetadata, readDigest } from './form.ts';
import { digestOf, saveDigest } from './operations.ts';
import { digestsView } from './views.ts';

/** The list of channels with their digests, and the form that changes one. */
export function digestSettingsRoutes(services: UiServices): Routes {
  const settingsFor = async ({ actor }: Interaction) => (await expectAllowed(services, actor, 'admin')).settings;
  return {
    actions: {
      'settings.digests': (interaction) =>
        openOrPushWhenReady(interaction, 'Digests', async () => digestsView(await settingsFor(interaction))),
      'settings.digest': (interaction, { value }) =>
        openOrPushWhenReady(interaction, 'Digest', async () => {
          const settings = await settingsFor(interaction);
          if (!inboxChannels(settings).includes(value)) throw channelNotUsed();
          return digestForm(value, digestOf(settings, value), await services.people.zoneOf(interaction.actor));
        }),
    },
    forms: {
      'settings.digest': {
        async submit(interaction, filled, metadata): Promise<FormAnswer> {
          const settings = await settingsFor(interaction);
          const { channel, seen } = digestMetadata.read(metadata) ?? { channel: '', seen: undefined };
          const digest = readDigest(
            filled,
            digestOf(settings, channel),
            await services.people.zoneOf(interaction.actor),
          );
          const saved = await saveDigest(services, interaction.actor, channel, digest, seen);
          return closingAnswer(interaction, digestsView(saved, 'Saved.'), 'Settings saved.');
        },
        after: async (interaction) => {
          const settings = await settingsFor(interaction);
          await updateModalsBelow(interaction, digestsView(settings, 'Saved.'), overviewView(settings));
        },
      },
    },
  };
}
