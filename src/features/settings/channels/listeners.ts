import type { ModalView } from '@slack/types';
import { createFieldErrors } from '../../../lib/errors.ts';
import type { Filled } from '../../../slack/form.ts';
import { type Interaction, openOrPushWhenReady } from '../../../slack/interaction.ts';
import type { FormAnswer, Routes } from '../../../slack/routes.ts';
import { oneLine } from '../../../slack/words.ts';
import { connectionOf } from '../../common/connection.ts';
import type { ListenerServices } from '../../common/slack-services.ts';
import { linksUnavailable } from '../errors.ts';
import { channelIds, newChannel } from '../inbox-channels.ts';
import { closingAnswer, expectOwnChannel, updateModalsBelow } from '../pages/forms.ts';
import { overviewOf } from '../pages/people.ts';
import { expectAllowed } from '../permission.ts';
import type { Settings } from '../repository.ts';
import { inboxChannelChanged, inboxChannelGone } from './errors.ts';
import { channelForm, channelMetadata, readChannel } from './form.ts';
import {
  channelHash,
  channelResults,
  currentChannelResults,
  removeChannel,
  saveChannel,
  unknownGuests,
} from './operations.ts';
import { channelsView } from './views.ts';

/** The list of inbox channels, and the form that adds or changes one. */
export function channelRoutes(services: ListenerServices): Routes {
  const settingsFor = async ({ actor }: Interaction) => {
    const { settings } = await expectAllowed(services, actor, 'admin');
    await connectionOf(services, actor);
    return settings;
  };
  const hasLinks = services.publicUrl !== undefined;
  return {
    actions: {
      'settings.channels': (interaction) =>
        openOrPushWhenReady(interaction, 'Inbox channels', async () =>
          currentView(services, interaction, await settingsFor(interaction)),
        ),
      'settings.channel-add': (interaction) =>
        openOrPushWhenReady(interaction, 'Add inbox channel', async () => {
          const settings = await settingsFor(interaction);
          const ownZone = await services.people.zoneOf(interaction.actor);
          return channelForm(newChannel(settings), { stored: undefined, ownZone, hasLinks });
        }),
      'settings.channel': (interaction, { value }) =>
        openOrPushWhenReady(interaction, 'Change inbox channel', async () => {
          const { inboxChannels } = await settingsFor(interaction);
          const stored = inboxChannels.find(({ channel }) => channel === value);
          if (stored === undefined) throw inboxChannelGone();
          const ownZone = await services.people.zoneOf(interaction.actor);
          return channelForm(stored, { stored, ownZone, hasLinks });
        }),
      'settings.channel-remove': async (interaction, { value }) => {
        const settings = await removeChannel(services, interaction.actor, value);
        await interaction.update(await currentView(services, interaction, settings, 'Inbox channel removed.'));
        await updateModalsBelow(interaction, await overviewOf(services, interaction.actor, settings));
      },
    },
    forms: {
      'settings.channel': {
        submit: (interaction, filled, metadata) => submitChannel(services, interaction, filled, metadata),
        after: async (interaction) => {
          const settings = await settingsFor(interaction);
          const below = await currentView(services, interaction, settings, 'Saved.');
          await updateModalsBelow(interaction, below, await overviewOf(services, interaction.actor, settings));
        },
      },
    },
  };
}

async function currentView(
  services: ListenerServices,
  { actor: { workspace } }: Interaction,
  settings: Settings,
  notice?: string,
): Promise<ModalView> {
  return channelsView(settings, await currentChannelResults(services, workspace, channelIds(settings)), notice);
}

async function submitChannel(
  services: ListenerServices,
  interaction: Interaction,
  filled: Filled,
  metadata: string,
): Promise<FormAnswer> {
  const { actor } = interaction;
  const { settings } = await expectAllowed(services, actor, 'admin');
  const { replaces, seen, anyway } = channelMetadata.read(metadata) ?? {};
  const stored = settings.inboxChannels.find(({ channel }) => channel === replaces);
  // Checked before the question about guests, whose form has the current hash.
  if (replaces !== undefined && (stored === undefined || channelHash(stored) !== seen)) throw inboxChannelChanged();
  const errors = createFieldErrors();
  const before = stored ?? newChannel(settings);
  const ownZone = await services.people.zoneOf(actor);
  const draft = readChannel(filled, before, ownZone, errors);
  if (draft.channel !== replaces)
    await errors.checkAsync(() => expectOwnChannel(services, actor.workspace, draft.channel, 'channel'));
  if (draft.delivery === 'link' && services.publicUrl === undefined) errors.add(linksUnavailable());
  errors.throwIfAny();
  const areGuestsKnown = anyway === draft.channel;
  const guests = areGuestsKnown ? 0 : await unknownGuests(services, actor.workspace, draft.channel);
  const hasLinks = services.publicUrl !== undefined;
  if (guests > 0) return { view: channelForm(draft, { stored, ownZone, hasLinks, guests }) };
  const nameOf = (channel: string) => channelNameOf(interaction, channel);
  const saved = await saveChannel(services, actor, draft, { replaces, seen, nameOf, areGuestsKnown });
  const results = await channelResults(services, actor.workspace);
  return closingAnswer(interaction, channelsView(saved, results, 'Saved.'), 'Settings saved.');
}

/** A channel's name. Slack doesn't show links to channels in the error messages of fields. */
async function channelNameOf({ client }: Interaction, channel: string): Promise<string | undefined> {
  const { channel: info } = await client.conversations.info({ channel }).catch(() => ({ channel: undefined }));
  return info?.name === undefined ? undefined : `#${oneLine(info.name)}`;
}
