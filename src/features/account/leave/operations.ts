import type pg from 'pg';
import { accountQueue } from '../../../jobs/index.ts';
import { type Credentials, type Desk, type Installation, idsOfDesk, inTransaction } from '../../../store/index.ts';
import { audited } from '../../common/audited.ts';
import { changeConnection, eachWorkspace } from '../../common/connection.ts';
import { notConnected } from '../../common/errors.ts';
import type { Actor, Services } from '../../common/services.ts';
import { queueAdminNotice } from '../../settings/jobs.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { peopleWhoSetUp, readWorkspaceSettings } from '../../settings/repository.ts';
import { disconnectKind, leaveKind, noAccount } from './jobs.ts';

/** Stops new work immediately. A job then cleans up the account, deletes all data but the audit, and notifies people. */
export function disconnect(services: Services, actor: Actor): Promise<void> {
  return audited(services, actor, 'disconnect', async ({ record, skipEntry }) => {
    await expectAllowed(services, actor, 'disconnect');
    const account = await services.store.credentials.accountOf(actor);
    if (account === undefined) throw notConnected();
    // Without an effect if someone has disconnected before: then there is no entry.
    skipEntry();
    const desk = { workspace: actor.workspace, account };
    await leave(services, desk, 'disconnect', { by: actor.person, inSameTransaction: record });
  });
}

/** Queues the leave jobs of accounts that are being disconnected, in case a crash prevented that. */
export async function resumeLeaving(services: Services): Promise<void> {
  const { credentials } = services.store;
  await eachWorkspace(services, await credentials.listOwners(), async (workspace) => {
    for (const [account, { leavingSince, leavingHow = 'disconnect' }] of await credentials.list(workspace)) {
      // The removed installation is already deleted, so an installation that exists now is newer.
      const isRemoved = () => false;
      if (leavingSince !== undefined) await leave(services, { workspace, account }, leavingHow, { isRemoved });
    }
  });
}

export interface LeaveOptions {
  /**
   * When the account was disconnected or the app was removed. A connection that was made later stays; after a removal,
   * only if the app was installed again.
   */
  at?: number;
  /** Whether the stored installation is the one that was removed, and not a newer one. */
  isRemoved?: (installation: Installation) => boolean;
  /** The person who disconnects, to be notified when it is finished. */
  by?: string;
  /** Runs before the account is marked, in the same transaction. */
  inSameTransaction?: (client: pg.PoolClient) => Promise<void>;
}

/**
 * Marks one account as disconnecting, or all of the workspace, and queues their leave jobs. `uninstall` also deletes the
 * installation.
 */
export async function leave(
  services: Services,
  { workspace, account }: Desk,
  how: 'disconnect' | 'uninstall',
  { at = Number.POSITIVE_INFINITY, isRemoved = () => true, by, inSameTransaction = async () => {} }: LeaveOptions = {},
): Promise<void> {
  const { store } = services;
  await changeConnection(services, workspace, async () => {
    const connected = [...(await store.credentials.list(workspace))].filter(([id]) => (account ?? id) === id);
    const installation = how === 'uninstall' ? await store.installations.get(workspace) : undefined;
    const isGone = installation === undefined || isRemoved(installation);
    const leaving = connected.filter(([, { connectedAt }]) => connectedAt < at || (how === 'uninstall' && isGone));
    if (connected.length > 0 && leaving.length === 0) return;
    const people = [
      ...(await peopleWhoSetUp(store, workspace)),
      ...(await readWorkspaceSettings(services, workspace)).admins,
    ];
    await inTransaction(store.pool, async (client) => {
      for (const [id, before] of leaving) {
        let stored = before;
        if (before.leavingSince === undefined || how === 'uninstall') {
          const { leavingBy = by, leavingSince = Date.now(), username } = before;
          stored = { ...before, leavingSince, leavingHow: how, leavingBy };
          await store.credentials.set(workspace, stored, { within: client });
          const changes = [[`disconnected this workspace from the account ${username}`]];
          if (by !== undefined) await queueAdminNotice(client, services, { workspace, person: by }, people, changes);
          await inSameTransaction(client);
        }
        await queueLeaving(client, services, { workspace, account: id }, stored);
      }
      if (connected.length === 0)
        await services.queue.add(
          leaveKind,
          { workspace, desk: noAccount, how },
          { key: `leave ${workspace}`, within: client },
        );
      if (installation !== undefined && isGone) await store.installations.take(workspace, undefined, client);
    });
  });
}

/** Queues the leave job in the transaction that marks the account, so that a crash can't lose it. */
async function queueLeaving(
  client: pg.PoolClient,
  { queue }: Services,
  desk: Required<Desk>,
  { leavingHow: how = 'disconnect', leavingBy: person }: Credentials,
): Promise<void> {
  const ids = idsOfDesk(desk);
  const key = `leave ${ids.workspace} ${ids.desk}`;
  const options = { queue: accountQueue('transfers', desk.account), key, within: client };
  if (how === 'uninstall' || person === undefined) await queue.add(leaveKind, { ...ids, how }, options);
  else await queue.add(disconnectKind, { ...ids, person }, options);
}
