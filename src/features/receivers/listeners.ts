import type { Routes } from '../../slack/routes.ts';
import type { UiServices } from '../ui-services.ts';
import { receiverSuggestions } from './suggest.ts';

export function receiversRoutes(services: UiServices): Routes {
  return { options: { receivers: (visit, query) => receiverSuggestions(services, visit, query) } };
}
