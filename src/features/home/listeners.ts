import type { Routes } from '../../slack/routes.ts';
import type { TransferUiServices } from '../transfers/shown-kind.ts';
import { publishHome, welcomeOnce } from './notify.ts';

export function homeRoutes(services: TransferUiServices): Routes {
  return {
    events: {
      app_home_opened: async ({ actor }, { tab }) => {
        if (tab === 'home') await publishHome(services, actor);
        await welcomeOnce(services, actor);
      },
    },
    actions: { 'home.refresh': ({ actor }) => publishHome(services, actor) },
  };
}
