import type { Routes } from '../../slack/routes.ts';
import type { UiServices } from '../ui-services.ts';

export function receiversRoutes(services: UiServices): Routes {
  void services;
  return { commands: { receivers: { summary: 'chooses receivers', run: async () => {} } } };
}
