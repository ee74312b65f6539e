import { isExchangeError } from '../../../exchange/index.ts';
import { handlerOf, type JobContext, type JobHandler, jobKind } from '../../../jobs/index.ts';
import type { Desk, DeskIds } from '../../../store/index.ts';
import { changeConnection, guarded, withAccountLock } from '../../common/connection.ts';
import type { Actor } from '../../common/services.ts';
import { reconcileOpenEdits } from '../../contacts/edit/reconcile.ts';
import { announceQueues } from '../../inbox/items/jobs.ts';
import { adminNoticeKind } from '../../settings/jobs.ts';
import { adminNotices } from '../../settings/repository.ts';
import type { TransferServices } from '../../transfers/kind.ts';
import { endTransfer, notifyEnd } from '../../transfers/outcome/end.ts';
import { reconcileTransfer } from '../../transfers/outcome/reconcile.ts';
import { transfersIn } from '../../transfers/repository.ts';
import { unsentStates } from '../../transfers/states.ts';
import { cleanUp } from '../../transfers/uploads/operations.ts';

export const leaveKind = jobKind('leave', ['workspace', 'desk', 'how'], { attempts: 6, slots: 'long' });
/**
 * A disconnect that notifies a person at the end. The payload has the person, because the data is deleted by then.
 */
export const disconnectKind = jobKind('disconnect', ['workspace', 'desk', 'person'], { attempts: 6, slots: 'long' });

/** The key in the payload of a job that deletes what is left of a workspace without an account. */
export const noAccount = '-';

/** Deletes an account's data after the app was removed, or after a disconnect without a person to notify. */
export function leaveJob(services: TransferServices): JobHandler {
  return handlerOf<DeskIds & { how: string }>({
    kind: leaveKind,
    async run({ workspace, desk, how }, context) {
      await cleanUpAndDelete(services, { workspace, desk }, how, context);
    },
    async giveUp({ workspace, desk, how }, error) {
      await deleteWithoutCleanUp(services, { workspace, desk }, how, error);
    },
  });
}

/** Like `leaveJob`, and notifies the person who disconnected the account. */
export function disconnectJob(services: TransferServices): JobHandler {
  const notify = (actor: Actor, { step }: JobContext, outcome: LeaveOutcome) =>
    outcome === 'kept' ? undefined : step('notify', () => services.notifier.disconnected(actor, outcome === 'clean'));
  return handlerOf<DeskIds & { person: string }>({
    kind: disconnectKind,
    async run({ workspace, desk, person }, context) {
      const outcome = await cleanUpAndDelete(services, { workspace, desk }, 'disconnect', context);
      await notify({ workspace, person }, context, outcome);
    },
    async giveUp({ workspace, desk, person }, error, context) {
      const outcome = await deleteWithoutCleanUp(services, { workspace, desk }, 'disconnect', error);
      await notify({ workspace, person }, context, outcome);
    },
  });
}

/** `kept`: the account was connected again. `unclean`: uploads can be left on it. */
type LeaveOutcome = 'clean' | 'unclean' | 'kept';

/**
 * Ends unsent transfers. Then, under the account's locks for transfers and contacts, reconciles the other transfers and
 * open edits, deletes Dropline's uploads, and deletes the data.
 */
async function cleanUpAndDelete(
  services: TransferServices,
  ids: DeskIds,
  how: string,
  context: JobContext,
): Promise<LeaveOutcome> {
  const { store } = services;
  const desk = await store.credentials.deskWith(ids);
  if (desk === undefined) return deleteData(services, ids, how, 'clean');
  if (await isConnectedAgain(services, desk, how)) return 'kept';
  await endUnsentTransfers(services, desk);
  // The job is in the account's queue of transfers, so it already holds that lock.
  return withAccountLock(store, 'contacts', desk.account, context.signal, async (contactsGuard) => {
    const isClean = await cleanUpAccount(services, desk, context, contactsGuard);
    await contactsGuard.check();
    return deleteData(services, desk, how, isClean ? 'clean' : 'unclean');
  });
}

/** The data must be deleted as promised, even if the service doesn't answer. */
async function deleteWithoutCleanUp(
  services: TransferServices,
  ids: DeskIds,
  how: string,
  error: unknown,
): Promise<LeaveOutcome> {
  const desk = await services.store.credentials.deskWith(ids);
  // Without credentials, the data was already deleted. Only queued jobs or the notification are left.
  if (desk === undefined) return deleteData(services, ids, how, 'clean');
  const { workspace } = ids;
  services.log.warn({ workspace, operation: 'leave', err: error }, 'workspace deleted without cleaning up its account');
  return deleteData(services, desk, how, 'unclean');
}

/** Deletes all data of the workspace with its last account. Otherwise only what belongs to this one. */
function deleteData<T>(services: TransferServices, desk: Desk, how: string, outcome: T): Promise<T | 'kept'> {
  const { workspace, account } = desk;
  const { store, queue } = services;
  return changeConnection(services, workspace, async () => {
    const connected = await store.credentials.list(workspace);
    const { leavingHow = how } = connected.get(account ?? '') ?? {};
    if (account !== undefined && (await isConnectedAgain(services, { workspace, account }, how))) return 'kept';
    connected.delete(account ?? '');
    if (connected.size > 0) {
      // Another account. Without its own account, this job was repeated: it had deleted everything.
      if (account !== undefined) await store.purgeAccount({ workspace, account });
      return outcome;
    }
    // The app can be removed while a disconnect runs.
    const isDisconnect = leavingHow === 'disconnect';
    await store.purgeWorkspace(workspace, isDisconnect ? ['audit', 'chains', adminNotices.kind] : []);
    const keptJobs = isDisconnect ? [adminNoticeKind, leaveKind] : [];
    const isDeleted = await queue.deleteWorkspace(workspace, announceQueues(workspace), keptJobs);
    if (!isDeleted) throw new Error('an announcement of this workspace is still running');
    return outcome;
  });
}

/**
 * Whether the account was connected again after it was disconnected: then its data must not be deleted. After an
 * uninstall, the app must also be installed again, because a connect from before the uninstall can be processed late.
 */
async function isConnectedAgain(services: TransferServices, desk: Desk, how: string): Promise<boolean> {
  const credentials = await services.store.credentials.get(desk);
  const isReconnected = credentials !== undefined && credentials.leavingSince === undefined;
  if (!isReconnected || how === 'disconnect') return isReconnected;
  // The removed installation was deleted before this job was queued, so this one is new.
  return (await services.store.installations.get(desk.workspace)) !== undefined;
}

/** Ends the transfers that haven't been sent, and notifies their senders if possible. */
async function endUnsentTransfers(services: TransferServices, desk: Required<Desk>): Promise<void> {
  const { workspace } = desk;
  const message = 'The workspace was disconnected. Nothing was sent.';
  const result = { code: 'not-connected', message, names: [] };
  for (const { id } of await transfersIn(services.store).listActiveStates({ ...desk, states: unsentStates })) {
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
  desk: Required<Desk>,
  transfersGuard: JobContext,
  contactsGuard: { signal: AbortSignal; check(): Promise<void> },
): Promise<boolean> {
  const credentials = await services.store.credentials.get(desk);
  if (credentials === undefined) return true;
  const client = services.connectTo(credentials);
  const exchange = guarded(client, transfersGuard);
  try {
    const transfers = transfersIn(services.store);
    for (const { id } of await transfers.listActiveStates({ ...desk, states: ['committing', 'sent'] })) {
      // Read again, because reconciling the previous transfer can take minutes.
      const transfer = await transfers.read(id);
      if (transfer === undefined) continue;
      await reconcileTransfer(services, exchange, transfer, transfersGuard);
      await notifyOnce(services, desk.workspace, notifyEnd(services, id));
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
