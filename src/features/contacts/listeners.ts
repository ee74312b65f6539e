import type { Routes } from '../../slack/routes.ts';
import type { UiServices } from '../ui-services.ts';

export function contactsRoutes(services: UiServices): Routes {
  void services;
  return { commands: { contacts: { summary: 'lists contacts', run: async () => {} } } };
}
