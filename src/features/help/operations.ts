import type { Actor, Services } from '../common/services.ts';
import { type Action, rightsOf } from '../settings/permission.ts';

/** What this person can do here. */
export interface HelpAccess {
  /** `outsider`: a guest, a bot or a person from another organisation. `no-desk`: they belong to none of several. */
  kind: 'outsider' | 'no-desk' | 'unconnected' | 'connected';
  isAdmin: boolean;
  /** The person who set up Dropline in this workspace. */
  connectedBy: string | undefined;
  /** Whether this person could request files, but an admin hasn't turned requests on. */
  areRequestsOff: boolean;
  can(action: Action): boolean;
}

/** Never calls the service, so that help works while it is down. */
export async function readHelpAccess(services: Services, actor: Actor): Promise<HelpAccess> {
  const [{ settings, isAdmin, may, facts }, credentials] = await Promise.all([
    rightsOf(services, actor),
    services.store.credentials.get(actor),
  ]);
  const isConnected = credentials !== undefined && credentials.leavingSince === undefined;
  const usableKind = isConnected ? 'connected' : 'unconnected';
  const refusedKind = facts.role === 'none' ? 'outsider' : 'no-desk';
  return {
    kind: may('view') ? usableKind : refusedKind,
    isAdmin,
    connectedBy: credentials?.connectedBy,
    areRequestsOff: !settings.requests && may('request'),
    can: (action) => may(action) && (action !== 'request' || settings.requests),
  };
}
