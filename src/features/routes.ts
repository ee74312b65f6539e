import type { Routes } from '../slack/routes.ts';
import { connectRoutes } from './account/connect/listeners.ts';
import { desksRoutes, openDesks } from './account/desks/listeners.ts';
import { removalRoutes } from './account/leave/listeners.ts';
import { auditRoutes } from './audit/listeners.ts';
import { cardOf, contactCardRoutes } from './contactcard/listeners.ts';
import { contactsRoutes } from './contacts/listeners.ts';
import { filesRoutes } from './files/listeners.ts';
import { helpRoutes } from './help/listeners.ts';
import { historyRoutes } from './history/listeners.ts';
import { homeRoutes } from './home/listeners.ts';
import { inboxRoutes } from './inbox/listeners.ts';
import { moveRoutes } from './inbox/move/listeners.ts';
import { pauseRoutes } from './pause/listeners.ts';
import { receiptRoutes } from './receipts/listeners.ts';
import { recipientsRoutes } from './recipients/listeners.ts';
import { channelRoutes } from './settings/channels/listeners.ts';
import { settingsRoutes } from './settings/pages/listeners.ts';
import { statusRoutes } from './status/listeners.ts';
import { approvalRoutes } from './transfers/approval/listeners.ts';
import { copyRoutes } from './transfers/copies/listeners.ts';
import { resumeTransfers } from './transfers/queue.ts';
import { recentRoutes } from './transfers/recent/listeners.ts';
import { requestRoutes } from './transfers/request/listeners.ts';
import { sendRoutes } from './transfers/send/listeners.ts';
import type { TransferUiServices } from './transfers/shown-kind.ts';

/** Everything that people can do in Slack. Help lists the commands in this order. */
export function featureRoutes(services: TransferUiServices): Routes[] {
  const features = [
    sendRoutes,
    filesRoutes,
    inboxRoutes,
    moveRoutes,
    requestRoutes,
    contactCardRoutes,
    (services: TransferUiServices) => contactsRoutes(services, (actor, open) => cardOf(services, actor, open)),
    recipientsRoutes,
    recentRoutes,
    historyRoutes,
    statusRoutes,
    settingsRoutes,
    channelRoutes,
    approvalRoutes,
    copyRoutes,
    (services: TransferUiServices) =>
      pauseRoutes(services, (admin, target) => resumeTransfers(services, admin, target)),
    auditRoutes,
    receiptRoutes,
    (services: TransferUiServices) => connectRoutes(services, (interaction) => openDesks(services, interaction)),
    desksRoutes,
    homeRoutes,
    removalRoutes,
  ].map((routesOf) => routesOf(services));
  return [...features, helpRoutes(services, features)];
}
