import { isExchangeError } from '../../../exchange/index.ts';
import { handlerOf, type JobContext, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { changeConnection, guarded, withAccountLock, withCanonicalLock } from '../../common/connection.ts';
import type { Services } from '../../common/services.ts';
import { reconcileOpenEdits } from '../../contacts/edit/reconcile.ts';
import { announceQueue } from '../../inbox/announce/jobs.ts';
import { endTransfer, notifyEnd } from '../../transfers/end.ts';
import { reconcileTransfer } from '../../transfers/history/reconcile.ts';
import { hasDetails, type TransferState, transfersIn } from '../../transfers/repository.ts';
import { cleanUp } from '../../transfers/uploads/operations.ts';

export const leaveKind = jobKind('leave', ['workspace', 'how'], { attempts: 6, isLong: true });

/**
 * Reconciles open transfers and edits, deletes Dropline's uploads, and deletes the workspace's data. Holds the
 * account's locks for transfers and for contacts.
 */
export function leaveJob(services: Services): JobHandler {
  const { store } = services;
  const deleteData = (workspace: string, how: string) =>
    changeConnection(services, workspace, async () => {
      if (await isConnectedAgain(services, workspace, how)) return;
      await store.purgeWorkspace(workspace);
      const isDeleted = await services.queue.deleteWorkspace(workspace, announceQueue(workspace));
      if (!isDeleted) throw new Error('an announcement of this workspace is still running');
    });
  return handlerOf<{ workspace: string; how: string }>({
    kind: leaveKind,
    async run({ workspace, how }, context) {
      const credentials = await store.credentials.get(workspace);
      if (credentials === undefined) return deleteData(workspace, how);
      if (await isConnectedAgain(services, workspace, how)) return;
      const { account } = services.connectTo(credentials);
      await endUnsentTransfers(services, workspace);
      await withCanonicalLock(store, 'outgoing', account, context, (transfersGuard) =>
        withAccountLock(store, 'contacts', account, transfersGuard.signal, async (contactsGuard) => {
          await cleanUpAccount(services, workspace, transfersGuard, contactsGuard);
          await contactsGuard.check();
          await deleteData(workspace, how);
        }),
      );
    },
    async giveUp({ workspace, how }, error) {
      // The data must be deleted as promised, even if the service doesn't answer.
      services.log.warn(
        { workspace, operation: 'leave', err: error },
        'workspace deleted without cleaning up its account',
      );
      await deleteData(workspace, how);
    },
  });
}

/**
 * Whether the workspace was connected again after it was disconnected: then its data must not be deleted. After an
 * uninstall, the app must also be installed again, because a connect from before the uninstall can be processed late.
 */
async function isConnectedAgain(services: Services, workspace: string, how: string): Promise<boolean> {
  const credentials = await services.store.credentials.get(workspace);
  const isReconnected = credentials !== undefined && credentials.leavingSince === undefined;
  if (!isReconnected || how === 'disconnect') return isReconnected;
  // The removed installation was deleted before this job was queued, so this one is new.
  return (await services.store.installations.get(workspace)) !== undefined;
}

const unsentStates: readonly TransferState[] = ['approval', 'waiting', 'running'];

/** Ends the transfers that haven't been sent, and notifies their senders if possible. */
async function endUnsentTransfers(services: Services, workspace: string): Promise<void> {
  const message = 'The workspace was disconnected. Nothing was sent.';
  const result = { code: 'not-connected', sentence: message, names: [] };
  for (const transfer of await transfersIn(services.store).active({ workspace, states: unsentStates })) {
    // A job can be sending it by now: then it is reconciled below.
    await endTransfer(services, transfer, 'failed', { result }, unsentStates);
    await notifyIfPossible(services, workspace, transfer.id);
    if (transfer.state === 'approval') await showIfPossible(services, workspace, transfer.id);
  }
}

async function showIfPossible(services: Services, workspace: string, id: string): Promise<void> {
  await services.notifier
    .approvalChanged({ workspace, id })
    .catch((error: unknown) => services.log.warn({ workspace, err: error }, 'approvers not notified'));
}

/** Doesn't retry: the transfer is deleted with the workspace. */
async function notifyIfPossible(services: Services, workspace: string, id: string): Promise<void> {
  await notifyEnd(services, id).catch((error: unknown) =>
    services.log.warn({ workspace, err: error }, 'sender not notified'),
  );
}

async function cleanUpAccount(
  services: Services,
  workspace: string,
  transfersGuard: JobContext,
  contactsGuard: { signal: AbortSignal; check(): Promise<void> },
): Promise<void> {
  const credentials = await services.store.credentials.get(workspace);
  if (credentials === undefined) return;
  const client = services.connectTo(credentials);
  const exchange = guarded(client, transfersGuard);
  try {
    const transfers = transfersIn(services.store);
    for (const { id } of await transfers.active({ workspace, states: ['committing', 'sent'] })) {
      // Read again: reconciling the one before can take minutes.
      const transfer = await transfers.read(id);
      if (!hasDetails(transfer)) continue;
      await reconcileTransfer(services, exchange, transfer, transfersGuard);
      await notifyIfPossible(services, workspace, id);
    }
    await reconcileOpenEdits(services, guarded(client, contactsGuard), contactsGuard.signal);
    await cleanUp(services, exchange);
  } catch (error) {
    // Nothing can be cleaned up without a valid key.
    if (!isExchangeError(error, 'credentials-refused')) throw error;
  }
}
