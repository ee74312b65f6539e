import type { Actor, Services } from '../common/services.ts';
import { type Action, isAllowed } from '../settings/permission.ts';
import { readSettings } from '../settings/repository.ts';

/** What this person can do here. */
export interface HelpAccess {
  /** `outsider`: a guest, a bot or a person from another organisation. */
  kind: 'outsider' | 'unconnected' | 'connected';
  isAdmin: boolean;
  /** The person who set up Dropline in this workspace. */
  connectedBy: string | undefined;
  /** Whether this person could request files, but an admin hasn't turned requests on. */
  areRequestsOff: boolean;
  can(action: Action): boolean;
}

/** Never calls the service, so that help works while it is down. */
export async function readHelpAccess(services: Services, actor: Actor): Promise<HelpAccess> {
  const { workspace, person } = actor;
  const [settings, role, credentials] = await Promise.all([
    readSettings(services, workspace),
    services.people.roleOf(actor),
    services.store.credentials.get(workspace),
  ]);
  const isConnected = credentials !== undefined && credentials.leavingSince === undefined;
  return {
    kind: role === 'none' ? 'outsider' : isConnected ? 'connected' : 'unconnected',
    isAdmin: isAllowed(settings, role, person, 'admin'),
    connectedBy: credentials?.connectedBy,
    areRequestsOff: !settings.requests && isAllowed(settings, role, person, 'request'),
    can: (action) => isAllowed(settings, role, person, action) && (action !== 'request' || settings.requests),
  };
}
