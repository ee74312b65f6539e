import type { Actor, InboxItem } from '../common/services.ts';
import { viewerOf } from '../inbox/items/permission.ts';
import { itemsSeenBy } from '../inbox/items/seen.ts';
import { type TakenItems, takenBy } from '../inbox/work/operations.ts';
import { type Pauses, pausesIn } from '../pause/repository.ts';
import { onlyChannelIn } from '../settings/inbox-channels.ts';
import { type Access, rightsOf } from '../settings/permission.ts';
import { type Permission, permissions } from '../settings/repository.ts';
import { waitingApprovals } from '../transfers/approval/operations.ts';
import { holdOf } from '../transfers/holds/repository.ts';
import type { Kind, TransferServices } from '../transfers/kind.ts';
import { allOf, transfersIn } from '../transfers/repository.ts';
import { type Transfer, withoutFiles } from '../transfers/transfer.ts';

/** What a person sees on Home. Reading it never calls the service. */
export type Home =
  | { kind: 'outsider' }
  /** They belong to none of several desks. */
  | { kind: 'no-desk'; isAdmin: boolean }
  | { kind: 'unconnected'; isAdmin: boolean; isLeaving: boolean }
  | ConnectedHome;

export interface ConnectedHome {
  kind: 'connected';
  person: string;
  isAdmin: boolean;
  isOwn(transfer: Transfer): boolean;
  username: string;
  connectedBy: string;
  may: Record<Permission | 'audit', boolean>;
  /** Whether an admin has turned on file requests. */
  hasRequests: boolean;
  isHeld: boolean;
  pauses?: Pauses;
  /** The person's active transfers, oldest first. */
  active: Transfer[];
  /** Other people's transfers that wait for this person's approval. */
  approvals?: Transfer[];
  /** Sends that have ended, newest first; admins see everyone's. */
  sent: Transfer[];
  /** The same for requests. */
  requests: Transfer[];
  /** Newest first; undefined if the person isn't allowed to download. */
  inbox: InboxItem[] | undefined;
  /** The workspace's only inbox channel, which isn't named. */
  onlyChannel?: string;
  /** Slack didn't say who is in some channels, so their items are left out. */
  areUnknown?: boolean;
  /** The items that the person has taken and not marked as done. */
  taken?: TakenItems;
  readAt: Date;
}

const maxShown = 5;

export async function readHome(services: TransferServices, actor: Actor): Promise<Home> {
  const { store } = services;
  const { workspace, person } = actor;
  const rights = await rightsOf(services, actor);
  if (rights.facts.role === 'none') return { kind: 'outsider' };
  if (!rights.may('view')) return { kind: 'no-desk', isAdmin: rights.may('desks') };
  const { settings, isAdmin } = rights;
  const credentials = await store.credentials.get(actor);
  if (credentials === undefined || credentials.leavingSince !== undefined) {
    return { kind: 'unconnected', isAdmin, isLeaving: credentials !== undefined };
  }
  const { account } = services.connectTo(credentials);
  const may = permissionsOf(rights);
  const sender = isAdmin ? undefined : person;
  const kindsListedAs = (list: Kind['listedAs']) =>
    Object.values(services.kinds).flatMap(({ name, listedAs }) => (listedAs === list ? [name] : []));
  const { viewer, areUnknown } = may.download ? await viewerOf(services, { workspace, account }, rights) : {};
  const [active, sent, requests, hold, inbox, taken, approvals, pauses] = await Promise.all([
    allOf(transfersIn(store).active({ workspace, account, person, limit: maxShown })),
    allOf(
      transfersIn(store).ended({ workspace, account, person: sender, kinds: kindsListedAs('sent'), limit: maxShown }),
    ),
    allOf(
      transfersIn(store).ended({
        workspace,
        account,
        person: sender,
        kinds: kindsListedAs('requests'),
        limit: maxShown,
      }),
    ),
    holdOf(store.pool, account),
    viewer && itemsSeenBy(store, viewer).list(maxShown, 0),
    viewer && takenBy(services, settings, viewer),
    waitingApprovals(services, actor, maxShown),
    pausesIn(store).read(actor),
  ]);
  return {
    kind: 'connected',
    person,
    isAdmin,
    isOwn: (transfer) => rights.may('own', transfer),
    username: credentials.username,
    connectedBy: credentials.connectedBy,
    may,
    hasRequests: settings.requests,
    isHeld: hold !== undefined && hold.reason !== 'committing',
    pauses,
    active,
    approvals,
    sent,
    requests: requests.map((transfer) =>
      transfer.kind !== 'request' || rights.may('own', transfer) ? transfer : withoutFiles(transfer),
    ),
    inbox,
    onlyChannel: onlyChannelIn(settings),
    areUnknown,
    taken,
    readAt: new Date(),
  };
}

/** The request permission has no effect while requests are switched off. */
function permissionsOf({ settings, may }: Access): ConnectedHome['may'] {
  const allowed = [...permissions, 'audit' as const].map((permission) => [
    permission,
    may(permission) && (permission !== 'request' || settings.requests),
  ]);
  return Object.fromEntries(allowed) as ConnectedHome['may'];
}
