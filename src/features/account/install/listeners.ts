import type { Routes } from '../../../slack/routes.ts';
import type { SlackServices } from '../../common/ui-services.ts';
import { handleRemoval } from '../leave/operations.ts';

/** Handles the removal of the app. Slack sends both events, in either order and sometimes twice. */
export function installRoutes(services: SlackServices): Routes {
  return {
    events: {
      app_uninstalled: ({ actor }, _, at) => handleRemoval(services, actor.workspace, at),
      tokens_revoked: async ({ actor }, { tokens }, at) => {
        // Ignore revoked user tokens: Dropline uses only bot tokens.
        const { bot = [] } = (tokens ?? {}) as { bot?: string[] };
        if (bot.length > 0) await handleRemoval(services, actor.workspace, at);
      },
    },
  };
}
