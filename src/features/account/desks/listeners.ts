import { type Interaction, openOrPushWhenReady, openWhenReady, pushWhenReady } from '../../../slack/interaction.ts';
import type { Routes } from '../../../slack/routes.ts';
import { nameIn } from '../../../store/index.ts';
import type { ListenerServices } from '../../common/slack-services.ts';
import { updateModalsBelow } from '../../settings/pages/forms.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { connectForm } from '../connect/listeners.ts';
import { disconnectView } from '../connect/views.ts';
import { listDesks, readDesk, renameDesk } from './operations.ts';
import { desksView, renameView } from './views.ts';

const pageOf = async (services: ListenerServices, { actor }: Interaction) =>
  desksView(await listDesks(services, actor));

export const openDesks = (services: ListenerServices, interaction: Interaction) =>
  openOrPushWhenReady(interaction, 'Connected accounts', () => pageOf(services, interaction));

/** The page with the connected accounts. */
export function desksRoutes(services: ListenerServices): Routes {
  return {
    actions: {
      'desks.open': (interaction) => openDesks(services, interaction),
      'desks.add': (interaction) =>
        openWhenReady(interaction, 'Connect Dropline', () => connectForm(services, interaction, { isAnother: true })),
      'desks.reconnect': (interaction, { value }) =>
        openWhenReady(interaction, 'Connect Dropline', async () => {
          const { desk } = await readDesk(services, interaction.actor, value);
          interaction.actor.account = desk.account;
          return connectForm(services, interaction);
        }),
      'desks.rename': (interaction, { value }) =>
        pushWhenReady(interaction, 'Rename', async () => {
          const { credentials } = await readDesk(services, interaction.actor, value);
          return renameView(value, nameIn(credentials));
        }),
      'desks.disconnect': (interaction, { value }) =>
        pushWhenReady(interaction, 'Disconnect', async () => {
          await expectAllowed(services, interaction.actor, 'disconnect');
          const { credentials } = await readDesk(services, interaction.actor, value);
          const connected = await services.store.credentials.list(interaction.actor.workspace);
          return disconnectView(nameIn(credentials), value, connected.size > 1);
        }),
    },
    forms: {
      'desks.rename': {
        async submit({ actor }, filled, key) {
          await renameDesk(services, actor, key, filled.text('desk'));
          return { done: 'Renamed.', after: '' };
        },
        after: async (interaction) => updateModalsBelow(interaction, await pageOf(services, interaction)),
      },
    },
  };
}
