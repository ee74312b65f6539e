import type { Routes } from '../../../slack/routes.ts';
import type { ListenerServices } from '../../common/slack-services.ts';
import { recipientSuggestions } from '../../contacts/list/suggest.ts';
import { createRecentRecipients } from './operations.ts';

/** The suggestions of every field for recipients. They start with the person's own recent recipients. */
export function recentRoutes(services: ListenerServices): Routes {
  const recentRecipients = createRecentRecipients(services);
  return {
    options: {
      recipients: (interaction, query) =>
        recipientSuggestions(services, interaction, query, () => recentRecipients(interaction.actor)),
    },
  };
}
