import type pg from 'pg';
import { accountQueue } from '../../../jobs/index.ts';
import { type Credentials, type Installation, inTransaction } from '../../../store/index.ts';
import { audited } from '../../common/audited.ts';
import { changeConnection, eachWorkspace } from '../../common/connection.ts';
import { notConnected } from '../../common/errors.ts';
import type { Actor, Services } from '../../common/services.ts';
import { queueAdminNotice } from '../../settings/jobs.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { peopleWhoSetUp, readSettings } from '../../settings/repository.ts';
import { disconnectKind, leaveKind } from './jobs.ts';

/** Stops new work immediately. A job then cleans up the account, deletes all data but the audit, and notifies people. */
export function disconnect(services: Services, actor: Actor): Promise<void> {
  return audited(services, actor, 'disconnect', async ({ record, skipEntry }) => {
    await expectAllowed(services, actor, 'disconnect');
    if ((await services.store.credentials.get(actor.workspace)) === undefined) throw notConnected();
    // Without an effect if someone has disconnected before: then there is no entry.
    skipEntry();
    await leave(services, actor.workspace, 'disconnect', { by: actor.person, inSameTransaction: record });
  });
}

/** Queues the leave job for workspaces that are being disconnected, in case a crash prevented that. */
export async function resumeLeaving(services: Services): Promise<void> {
  const { credentials } = services.store;
  await eachWorkspace(services, await credentials.listOwners(), async (workspace) => {
    const { leavingSince, leavingHow = 'disconnect' } = (await credentials.get(workspace)) ?? {};
    // The removed installation is already deleted, so an installation that exists now is newer.
    const isRemoved = () => false;
    if (leavingSince !== undefined) await leave(services, workspace, leavingHow, { isRemoved });
  });
}

export interface LeaveOptions {
  /**
   * When the workspace was disconnected or the app was removed. A connection that was made later stays; after a
   * removal, only if the app was installed again.
   */
  at?: number;
  /** Whether the stored installation is the one that was removed, and not a newer one. */
  isRemoved?: (installation: Installation) => boolean;
  /** The person who disconnects, to be notified when it is finished. */
  by?: string;
  /** Runs before the workspace is marked, in the same transaction. */
  inSameTransaction?: (client: pg.PoolClient) => Promise<void>;
}

/** Marks the workspace as disconnecting and queues the leave job. `uninstall` also deletes the installation. */
export async function leave(
  services: Services,
  workspace: string,
  how: 'disconnect' | 'uninstall',
  { at = Number.POSITIVE_INFINITY, isRemoved = () => true, by, inSameTransaction = async () => {} }: LeaveOptions = {},
): Promise<void> {
  const { store } = services;
  await changeConnection(services, workspace, async () => {
    let stored = await store.credentials.get(workspace);
    const installation = how === 'uninstall' ? await store.installations.get(workspace) : undefined;
    const isGone = installation === undefined || isRemoved(installation);
    if (stored !== undefined && stored.connectedAt >= at && (how === 'disconnect' || !isGone)) return;
    const people = [...(await peopleWhoSetUp(store, workspace)), ...(await readSettings(services, workspace)).admins];
    await inTransaction(store.pool, async (client) => {
      if (stored !== undefined && (stored.leavingSince === undefined || how === 'uninstall')) {
        const { leavingBy = by, leavingSince = Date.now(), username } = stored;
        stored = { ...stored, leavingSince, leavingHow: how, leavingBy };
        await store.credentials.set(workspace, stored, client);
        const changes = [[`disconnected this workspace from the account ${username}`]];
        if (by !== undefined) await queueAdminNotice(client, services, { workspace, person: by }, people, changes);
        await inSameTransaction(client);
      }
      await queueLeaving(client, services, workspace, stored, how);
      if (installation !== undefined && isGone) await store.installations.take(workspace, undefined, client);
    });
  });
}

/** Queues the leave job in the transaction that marks the workspace, so that a crash can't lose it. */
async function queueLeaving(
  client: pg.PoolClient,
  { queue, connectTo }: Services,
  workspace: string,
  credentials: Credentials | undefined,
  how: 'disconnect' | 'uninstall',
): Promise<void> {
  const queueOptions =
    credentials === undefined ? {} : { queue: accountQueue('transfers', connectTo(credentials).account) };
  const options = { ...queueOptions, key: `leave ${workspace}`, within: client };
  const { leavingHow = how, leavingBy: person } = credentials ?? {};
  if (leavingHow === 'uninstall' || person === undefined)
    await queue.add(leaveKind, { workspace, how: leavingHow }, options);
  else await queue.add(disconnectKind, { workspace, person }, options);
}
