import type { Routes } from '../slack/routes.ts';
import { connectRoutes } from './account/connect/listeners.ts';
import { removalRoutes } from './account/leave/listeners.ts';
import { auditRoutes } from './audit/listeners.ts';
import type { UiServices } from './common/ui-services.ts';
import { contactCardRoutes } from './contactcard/listeners.ts';
import { contactsRoutes } from './contacts/listeners.ts';
import { filesRoutes } from './files/listeners.ts';
import { helpRoutes } from './help/listeners.ts';
import { historyRoutes } from './history/listeners.ts';
import { homeRoutes } from './home/listeners.ts';
import { refreshHome } from './home/notify.ts';
import { inboxRoutes } from './inbox/listeners.ts';
import { workRoutes } from './inbox/work/listeners.ts';
import { recipientsRoutes } from './recipients/listeners.ts';
import { approvalSettingsRoutes } from './settings/approval/listeners.ts';
import { digestSettingsRoutes } from './settings/digest/listeners.ts';
import { settingsRoutes } from './settings/listeners.ts';
import { statusRoutes } from './status/listeners.ts';
import { approvalRoutes } from './transfers/approval/listeners.ts';
import { requestRoutes } from './transfers/kinds/request/listeners.ts';
import { sendRoutes } from './transfers/kinds/send/listeners.ts';
import { pauseRoutes } from './transfers/pause/listeners.ts';
import { recentRoutes } from './transfers/recent/listeners.ts';

/** Everything that people can do in Slack. Help lists the commands in this order. */
export function featureRoutes(services: UiServices): Routes[] {
  const features = [
    sendRoutes,
    filesRoutes,
    inboxRoutes,
    (services: UiServices) => workRoutes(services, (actor) => refreshHome(services, actor)),
    requestRoutes,
    contactCardRoutes,
    contactsRoutes,
    recipientsRoutes,
    recentRoutes,
    historyRoutes,
    statusRoutes,
    settingsRoutes,
    approvalSettingsRoutes,
    digestSettingsRoutes,
    approvalRoutes,
    pauseRoutes,
    auditRoutes,
    connectRoutes,
    homeRoutes,
    removalRoutes,
  ].map((routesOf) => routesOf(services));
  return [...features, helpRoutes(services, features)];
}
