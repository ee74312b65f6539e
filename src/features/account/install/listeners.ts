import type { Routes } from '../../../slack/routes.ts';
import type { SlackServices } from '../../common/ui-services.ts';
import { forgetRemoved } from './removal.ts';

/** The app was removed from a workspace. Slack sends both events, in either order and sometimes twice. */
export function installRoutes(services: SlackServices): Routes {
  return {
    events: {
      app_uninstalled: ({ actor }, _, at) => forgetRemoved(services, actor.workspace, at),
      tokens_revoked: async ({ actor }, { tokens }, at) => {
        // A user token doesn't concern the bot.
        const { bot = [] } = (tokens ?? {}) as { bot?: string[] };
        if (bot.length > 0) await forgetRemoved(services, actor.workspace, at);
      },
    },
  };
}
