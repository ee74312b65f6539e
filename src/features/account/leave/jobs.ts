import { isExchangeError } from '../../../exchange/index.ts';
import { handlerOf, type JobContext, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { changeConnection, guarded, withAccountLock } from '../../common/connection.ts';
import type { Actor } from '../../common/services.ts';
import { reconcileOpenEdits } from '../../contacts/edit/reconcile.ts';
import { announceQueue } from '../../inbox/items/jobs.ts';
import { adminNoticeKind } from '../../settings/jobs.ts';
import { adminNotices } from '../../settings/repository.ts';
import type { TransferServices } from '../../transfers/kind.ts';
import { endTransfer, notifyEnd } from '../../transfers/outcome/end.ts';
import { reconcileTransfer } from '../../transfers/outcome/reconcile.ts';
import { transfersIn } from '../../transfers/repository.ts';
import { unsentStates } from '../../transfers/states.ts';
import { cleanUp } from '../../transfers/uploads/operations.ts';

export const leaveKind = jobKind('leave', ['workspace', 'how'], { attempts: 6, slots: 'long' });
/**
 * A disconnect that notifies a person at the end. The payload has the person, because the data is deleted by then.
 */
export const disconnectKind = jobKind('disconnect', ['workspace', 'person'], { attempts: 6, slots: 'long' });

/** Deletes a workspace's data after the app was removed, or after a disconnect without a person to notify. */
export function leaveJob(services: TransferServices): JobHandler {
  return handlerOf<{ workspace: string; how: string }>({
    kind: leaveKind,
    async run({ workspace, how }, context) {
      await cleanUpAndDelete(services, workspace, how, context);
    },
    async giveUp({ workspace, how }, error) {
      await deleteWithoutCleanUp(services, workspace, how, error);
    },
  });
}

/** Like `leaveJob`, and notifies the person who disconnected the workspace. */
export function disconnectJob(services: TransferServices): JobHandler {
  const notify = (actor: Actor, { step }: JobContext, outcome: LeaveOutcome) =>
    outcome === 'kept' ? undefined : step('notify', () => services.notifier.disconnected(actor, outcome === 'clean'));
  return handlerOf<{ workspace: string; person: string }>({
    kind: disconnectKind,
    async run({ workspace, person }, context) {
      const outcome = await cleanUpAndDelete(services, workspace, 'disconnect', context);
      await notify({ workspace, person }, context, outcome);
    },
    async giveUp({ workspace, person }, error, context) {
      const outcome = await deleteWithoutCleanUp(services, workspace, 'disconnect', error);
      await notify({ workspace, person }, context, outcome);
    },
  });
}

/** `kept`: the workspace was connected again. `unclean`: uploads can be left on the account. */
type LeaveOutcome = 'clean' | 'unclean' | 'kept';

/**
 * Ends unsent transfers. Then, under the account's locks for transfers and contacts, reconciles the other transfers and
 * open edits, deletes Dropline's uploads, and deletes the workspace's data.
 */
async function cleanUpAndDelete(
  services: TransferServices,
  workspace: string,
  how: string,
  context: JobContext,
): Promise<LeaveOutcome> {
  const { store } = services;
  const credentials = await store.credentials.get(workspace);
  if (credentials === undefined) return deleteData(services, workspace, how, 'clean');
  if (await isConnectedAgain(services, workspace, how)) return 'kept';
  const { account } = services.connectTo(credentials);
  await endUnsentTransfers(services, workspace);
  // The job is in the account's queue of transfers, so it already holds that lock.
  return withAccountLock(store, 'contacts', account, context.signal, async (contactsGuard) => {
    const isClean = await cleanUpAccount(services, workspace, context, contactsGuard);
    await contactsGuard.check();
    return deleteData(services, workspace, how, isClean ? 'clean' : 'unclean');
  });
}

/** The data must be deleted as promised, even if the service doesn't answer. */
async function deleteWithoutCleanUp(
  services: TransferServices,
  workspace: string,
  how: string,
  error: unknown,
): Promise<LeaveOutcome> {
  // Without credentials, the data was already deleted. Only queued jobs or the notification are left.
  if ((await services.store.credentials.get(workspace)) === undefined) {
    return deleteData(services, workspace, how, 'clean');
  }
  services.log.warn({ workspace, operation: 'leave', err: error }, 'workspace deleted without cleaning up its account');
  return deleteData(services, workspace, how, 'unclean');
}

function deleteData<T>(services: TransferServices, workspace: string, how: string, outcome: T): Promise<T | 'kept'> {
  return changeConnection(services, workspace, async () => {
    if (await isConnectedAgain(services, workspace, how)) return 'kept';
    // The app can be removed while a disconnect runs.
    const { leavingHow = how } = (await services.store.credentials.get(workspace)) ?? {};
    const isDisconnect = leavingHow === 'disconnect';
    await services.store.purgeWorkspace(workspace, isDisconnect ? ['audit', 'chains', adminNotices.kind] : []);
    const keptJobs = isDisconnect ? [adminNoticeKind, leaveKind] : [];
    const isDeleted = await services.queue.deleteWorkspace(workspace, announceQueue(workspace), keptJobs);
    if (!isDeleted) throw new Error('an announcement of this workspace is still running');
    return outcome;
  });
}

/**
 * Whether the workspace was connected again after it was disconnected: then its data must not be deleted. After an
 * uninstall, the app must also be installed again, because a connect from before the uninstall can be processed late.
 */
async function isConnectedAgain(services: TransferServices, workspace: string, how: string): Promise<boolean> {
  const credentials = await services.store.credentials.get(workspace);
  const isReconnected = credentials !== undefined && credentials.leavingSince === undefined;
  if (!isReconnected || how === 'disconnect') return isReconnected;
  // The removed installation was deleted before this job was queued, so this one is new.
  return (await services.store.installations.get(workspace)) !== undefined;
}

/** Ends the transfers that haven't been sent, and notifies their senders if possible. */
async function endUnsentTransfers(services: TransferServices, workspace: string): Promise<void> {
  const message = 'The workspace was disconnected. Nothing was sent.';
  const result = { code: 'not-connected', message, names: [] };
  for (const { id } of await transfersIn(services.store).listActiveStates({ workspace, states: unsentStates })) {
    const transfer = await transfersIn(services.store).read(id);
    if (transfer === undefined) continue;
    // If a job is already sending it, this does nothing, and `cleanUpAccount` reconciles it.
    await endTransfer(services, transfer, 'failed', { result }, unsentStates);
    await notifyOnce(services, workspace, notifyEnd(services, id));
    if (transfer.state === 'approval')
      await notifyOnce(services, workspace, services.notifier.approvalChanged({ workspace, id }));
  }
}

/** Doesn't retry: the transfer is deleted with the workspace. */
async function notifyOnce({ log }: TransferServices, workspace: string, notification: Promise<void>): Promise<void> {
  await notification.catch((error: unknown) => log.warn({ workspace, err: error }, 'sender or approvers not notified'));
}

/**
 * Reconciles open transfers and edits, and deletes Dropline's uploads. Resolves with false if the service refuses the
 * key.
 */
async function cleanUpAccount(
  services: TransferServices,
  workspace: string,
  transfersGuard: JobContext,
  contactsGuard: { signal: AbortSignal; check(): Promise<void> },
): Promise<boolean> {
  const credentials = await services.store.credentials.get(workspace);
  if (credentials === undefined) return true;
  const client = services.connectTo(credentials);
  const exchange = guarded(client, transfersGuard);
  try {
    const transfers = transfersIn(services.store);
    for (const { id } of await transfers.listActiveStates({ workspace, states: ['committing', 'sent'] })) {
      // Read again, because reconciling the previous transfer can take minutes.
      const transfer = await transfers.read(id);
      if (transfer === undefined) continue;
      await reconcileTransfer(services, exchange, transfer, transfersGuard);
      await notifyOnce(services, workspace, notifyEnd(services, id));
    }
    await reconcileOpenEdits(services, guarded(client, contactsGuard), contactsGuard.signal);
    await cleanUp(services, exchange);
    return true;
  } catch (error) {
    // Nothing can be cleaned up without a valid key.
    if (!isExchangeError(error, 'credentials-refused')) throw error;
    return false;
  }
}
