import { isExchangeError } from '../../../exchange/index.ts';
import { handlerOf, type JobContext, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { withAccountLock, withPlainLock } from '../../common/connection/account-lock.ts';
import { changeConnection } from '../../common/connection/connection.ts';
import { guarded } from '../../common/connection/guarded.ts';
import type { Services } from '../../common/services.ts';
import { reconcileOpenEdits } from '../../contacts/edit/reconcile.ts';
import { announceQueue } from '../../inbox/announce/job.ts';
import { cleanUp } from '../../transfers/clean-up.ts';
import { endTransfer, notifyEnd } from '../../transfers/end.ts';
import { reconcileTransfer } from '../../transfers/reconcile.ts';
import { type TransferState, transfersIn } from '../../transfers/repository.ts';

export const leaving = jobKind('leave', ['workspace', 'how'], { attempts: 6, isLong: true });

/** Under both locks: reconciles open transfers and edits, deletes our uploads, and deletes the workspace's data. */
export function leavingJob(services: Services): JobHandler {
  const { store } = services;
  const forget = (workspace: string, how: string) =>
    changeConnection(services, workspace, async () => {
      if (await isBackAgain(services, workspace, how)) return;
      await store.purgeWorkspace(workspace);
      const isForgotten = await services.queue.forget(workspace, announceQueue(workspace));
      if (!isForgotten) throw new Error('an announcement of the workspace is still under way');
    });
  return handlerOf<{ workspace: string; how: string }>({
    kind: leaving,
    async run({ workspace, how }, context) {
      const credentials = await store.credentials.get(workspace);
      if (credentials === undefined) return forget(workspace, how);
      if (await isBackAgain(services, workspace, how)) return;
      const { account } = services.connectTo(credentials);
      await stopWaiting(services, workspace);
      await withPlainLock(store, 'outgoing', account, context, (outgoing) =>
        withAccountLock(store, 'contacts', account, outgoing.signal, async (contacts) => {
          await leaveAccount(services, workspace, outgoing, contacts);
          await contacts.check();
          await forget(workspace, how);
        }),
      );
    },
    async giveUp({ workspace, how }, error) {
      // A service that doesn't answer must not keep us from deleting the data as promised.
      services.log.warn(
        { workspace, operation: 'leave', err: error },
        'workspace deleted without cleaning up its account',
      );
      await forget(workspace, how);
    },
  });
}

/** The later request wins. After an uninstall, the app must be installed again too: a connect can arrive late. */
async function isBackAgain(services: Services, workspace: string, how: string): Promise<boolean> {
  const credentials = await services.store.credentials.get(workspace);
  const isConnectedAnew = credentials !== undefined && credentials.leavingSince === undefined;
  if (!isConnectedAnew || how === 'disconnect') return isConnectedAnew;
  // This is a new installation: the removed one was deleted before this job was queued.
  return (await services.store.installations.get(workspace)) !== undefined;
}

/** Ends the transfers that haven't been sent, and notifies their senders if possible. */
async function stopWaiting(services: Services, workspace: string): Promise<void> {
  const sentence = 'The workspace was disconnected from the file service; nothing was sent.';
  for (const id of await openTransfers(services, workspace, ['waiting', 'running'])) {
    const transfer = await transfersIn(services.store).read(id);
    if (transfer === undefined) continue;
    await endTransfer(services, transfer, 'failed', { result: { code: 'not-connected', sentence, names: [] } });
    await notifyIfPossible(services, workspace, id);
  }
}

/** Tries only once: the transfer is deleted with the workspace. */
async function notifyIfPossible(services: Services, workspace: string, id: string): Promise<void> {
  await notifyEnd(services, id).catch((error: unknown) =>
    services.log.warn({ workspace, err: error }, 'sender not notified'),
  );
}

async function leaveAccount(
  services: Services,
  workspace: string,
  outgoing: JobContext,
  contacts: { signal: AbortSignal; check(): Promise<void> },
): Promise<void> {
  const credentials = await services.store.credentials.get(workspace);
  if (credentials === undefined) return;
  const client = services.connectTo(credentials);
  const exchange = guarded(client, outgoing);
  try {
    for (const id of await openTransfers(services, workspace, ['committing', 'sent'])) {
      const transfer = await transfersIn(services.store).read(id);
      if (transfer?.details === undefined) continue;
      await reconcileTransfer(services, exchange, { ...transfer, details: transfer.details }, outgoing);
      await notifyIfPossible(services, workspace, id);
    }
    await reconcileOpenEdits(services, guarded(client, contacts), contacts.signal);
    await cleanUp(services, exchange);
  } catch (error) {
    // Nothing can be cleaned up without a valid key.
    if (!isExchangeError(error, 'credentials-refused')) throw error;
  }
}

async function openTransfers({ store }: Services, workspace: string, states: TransferState[]): Promise<string[]> {
  const { rows } = await store.pool.query<{ id: string }>(
    'select id from dropline.dispatches where workspace = $1 and ended_at is null and state = any ($2)',
    [workspace, states],
  );
  return rows.map(({ id }) => id);
}
