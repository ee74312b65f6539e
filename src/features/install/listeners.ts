import type { Routes } from '../../slack/routes.ts';
import { leave } from '../connect/operations.ts';
import type { UiServices } from '../ui-services.ts';

/** The app is removed from a workspace. Both events come, in either order, and perhaps twice. */
export function installRoutes(services: UiServices): Routes {
  const uninstall = async (workspace: string) => {
    await leave(services, workspace, 'uninstall');
    await services.slack.installations.deleteInstallation?.({
      teamId: workspace,
      enterpriseId: undefined,
      isEnterpriseInstall: false,
    });
  };
  return {
    events: {
      app_uninstalled: ({ actor }) => uninstall(actor.workspace),
      tokens_revoked: async ({ actor }, { tokens }) => {
        // A person's own token does not concern the bot.
        const { bot = [] } = (tokens ?? {}) as { bot?: string[] };
        if (bot.length > 0) await uninstall(actor.workspace);
      },
    },
  };
}
