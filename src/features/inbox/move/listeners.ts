import { sharesPrivateChannel } from '../../../slack/channels.ts';
import { openOrPushWhenReady } from '../../../slack/interaction.ts';
import type { Routes } from '../../../slack/routes.ts';
import type { ListenerServices } from '../../common/slack-services.ts';
import { expectOwnChannel } from '../../settings/pages/forms.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { nothingToMove } from '../items/errors.ts';
import { listOwners, moveItems } from './operations.ts';
import { movedView, moveForm, moveMetadata, noChannelView, ownersView } from './views.ts';

/** The page from which an admin moves the files of a channel. The button is on the page of inbox channels. */
export function moveRoutes(services: ListenerServices): Routes {
  return {
    actions: {
      'inbox.move': (interaction) =>
        openOrPushWhenReady(interaction, 'Move files', async () =>
          ownersView(await listOwners(services, interaction.actor)),
        ),
      'inbox.move-from': async (interaction, { value }) => {
        const { actor, client } = interaction;
        await expectAllowed(services, actor, 'admin');
        // If Slack doesn't answer, the form is of use too.
        const hasChannel = await sharesPrivateChannel(client, actor.person, value).catch(() => true);
        // Slack stacks three modals: settings, inbox channels and this one.
        await interaction.update(hasChannel ? moveForm(value) : noChannelView(value));
      },
    },
    forms: {
      'inbox.move': {
        async submit({ actor }, filled, metadata) {
          await expectAllowed(services, actor, 'admin');
          const { from } = moveMetadata.read(metadata) ?? {};
          const to = filled.channel('channel');
          if (from === undefined || to === undefined || to === from) throw nothingToMove();
          await expectOwnChannel(services, actor.workspace, to, 'channel', true);
          const moved = await moveItems(services, actor, from, to);
          return { view: movedView(moved), done: 'Files moved.' };
        },
      },
    },
  };
}
