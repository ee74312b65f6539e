import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, isExchangeError, type Operation } from '../../../exchange/index.ts';
import { handlerOf, type JobContext, type JobHandler } from '../../../jobs/index.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import { errorMessageOf, hasErrorMessage, outcomeOf } from '../../common/audited.ts';
import { type Connection, connectionOf, expectSameConnection, type Guard, guarded } from '../../common/connection.ts';
import { expectNotPaused, expectNotPausedWithin } from '../../pause/checks.ts';
import { MembersUnknownError } from '../../settings/errors.ts';
import { readSettings } from '../../settings/repository.ts';
import { createApprovalCheck } from '../approval/checks.ts';
import { ApprovalEndedError } from '../approval/errors.ts';
import { renewApproval } from '../approval/jobs.ts';
import { currentExpiresAfter } from '../checks.ts';
import { cancelled, workspaceRemoved } from '../errors.ts';
import { expectReleased, giveUpOrphan, hold, holdOf } from '../holds/repository.ts';
import type { Kind, TransferServices } from '../kind.ts';
import { endTransfer, notifyEnd } from '../outcome/end.ts';
import { endInDoubt } from '../outcome/jobs.ts';
import { reconcileTransfer, showPhase } from '../outcome/reconcile.ts';
import { transferJobKind, waitForResume } from '../queue.ts';
import { transfersIn } from '../repository.ts';
import type { Result, Transfer } from '../transfer.ts';
import { cleanUp } from '../uploads/operations.ts';

/** Runs one transfer of a kind from its confirmation to its end, under its account's lock. Sends at most once. */
export function transferJob(services: TransferServices, kind: Kind): JobHandler {
  const repository = transfersIn(services.store);
  return handlerOf<{ transfer: string }>({
    kind: transferJobKind(kind.name),
    async run({ transfer: id }, context) {
      const transfer = await repository.read(id);
      if (transfer === undefined) return; // its workspace was deleted
      if (transfer.state === 'approval') return; // has no job until it is approved
      if (transfer.endedAt === undefined) await continueTransfer(services, transfer, context);
      await notifyEnd(services, id);
    },
    async giveUp({ transfer: id }, error) {
      const transfer = await repository.read(id);
      if (transfer?.state === 'approval') return; // waits for another approval
      if (transfer !== undefined && transfer.endedAt === undefined) await endAsItIs(services, transfer, error);
      await notifyEnd(services, id);
    },
  });
}

async function continueTransfer(services: TransferServices, transfer: Transfer, context: JobContext): Promise<void> {
  let connection: Connection;
  try {
    // A workspace that is being disconnected can still reconcile what it has sent.
    connection = await connectionOf(services, transfer, { allowDisconnecting: true });
  } catch (error) {
    if (!isDroplineError(error, 'not-connected')) throw error;
    return endAsItIs(services, transfer, error);
  }
  const isCommitted = transfer.state === 'committing' || transfer.state === 'sent';
  const attempt: Attempt = isCommitted
    ? { is: 'committed', transfer }
    : await tryToSend(services, connection, transfer, context);
  const exchange = guarded(connection.exchange, context);
  if (attempt.is === 'committed') await reconcileTransfer(services, exchange, attempt.transfer, context);
  else await stopTransfer(services, exchange, transfer, attempt, context);
}

/** Ends a transfer that can't continue, with the outcome that its state implies. */
async function endAsItIs(services: TransferServices, transfer: Transfer, error: unknown): Promise<void> {
  if (transfer.state === 'sent') await endTransfer(services, transfer, 'sent');
  else if (transfer.state === 'committing') await endInDoubt(services, transfer, 'unknown');
  else await endTransfer(services, transfer, 'failed', { result: resultOf(error) });
}

/** `committed`: it was sent, or the answer of the call that sends was lost. `stopped`: it was not sent. */
type Attempt = { is: 'committed'; transfer: Transfer } | Stopped;

interface Stopped {
  is: 'stopped';
  error: unknown;
  /** What this attempt can have left. `late`: the service can still execute a call that it didn't answer. */
  leftovers: 'none' | 'settled' | 'late';
}

/** Prepares the transfer and makes the call that sends it. */
async function tryToSend(
  services: TransferServices,
  connection: Connection,
  transfer: Transfer,
  context: JobContext,
): Promise<Attempt> {
  const exchange = guarded(connection.exchange, context);
  // If the transfer was already running, an earlier attempt was interrupted, possibly during a call.
  let leftovers: Stopped['leftovers'] = transfer.state === 'running' ? 'late' : 'none';
  // Late, these two could send the next transfer's files to the wrong people.
  const onUnanswered = (operation: Operation) => {
    if (operation === 'setReceivers' || operation === 'upload') leftovers = 'late';
  };
  let committing: Transfer;
  try {
    await start(services, transfer);
    if (leftovers === 'none') leftovers = 'settled';
    await reconcileHeld(services, exchange, transfer, context);
    committing = await prepare(services, connection, onUnanswered, transfer, context);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!hasErrorMessage(error) || error instanceof MembersUnknownError) throw error;
    return { is: 'stopped', error, leftovers };
  }
  return commit(services, exchange, committing, context);
}

async function start(services: TransferServices, transfer: Transfer): Promise<void> {
  const running = await transfersIn(services.store).change(transfer.id, async ({ cancelledBy, state }, client) => {
    if (cancelledBy !== undefined) return undefined;
    await expectNotPausedWithin(services, transfer, services.kinds[transfer.kind].pausedBy, client);
    return { step: state === 'planned' ? 'begin' : 'start' };
  });
  if (running === undefined) throw cancelled();
}

/** Does everything before the call that sends, and records that this call is next. */
async function prepare(
  services: TransferServices,
  connection: Connection,
  onUnanswered: (operation: Operation) => void,
  transfer: Transfer,
  context: JobContext,
): Promise<Transfer> {
  const repository = transfersIn(services.store);
  const { exchange } = connection;
  const committing = await runCancellable(services, transfer, connection, context, async (guard) => {
    const expectApproved = createApprovalCheck(services, guarded(exchange, guard), transfer);
    await expectApproved();
    // `transfer` is as it was before this attempt.
    const wasInterrupted = transfer.state === 'running' || (await repository.hasOtherInterrupted(transfer));
    if (wasInterrupted) await waitForLateCalls(services, guard.signal);
    const guardedExchange = guarded(exchange.with({ onUnanswered }), guard);
    const prepared = await services.kinds[transfer.kind].prepare(services, guardedExchange, transfer, guard.signal);
    await expectApproved();
    const settings = await readSettings(services, transfer);
    const zone = await services.people.zoneOf(transfer);
    const expiresAfter = currentExpiresAfter(settings, transfer, zone);
    // The transaction doesn't see the job's lock and the connection.
    await guard.check();
    return repository.change(transfer.id, async ({ cancelledBy }, client) => {
      if (cancelledBy !== undefined) return undefined;
      await expectNotPausedWithin(services, transfer, services.kinds[transfer.kind].pausedBy, client);
      await hold(client, transfer);
      return { step: 'commit', progress: prepared, expiresAfter };
    });
  });
  // If it was deleted or has ended, ending it as cancelled does nothing.
  if (committing === undefined) throw cancelled();
  return committing;
}

/** Makes the call that sends, once. */
async function commit(
  services: TransferServices,
  exchange: Exchange,
  transfer: Transfer,
  context: JobContext,
): Promise<Attempt> {
  try {
    await services.kinds[transfer.kind].commit(exchange, transfer);
  } catch (error) {
    context.signal.throwIfAborted();
    // The job runs again and only reconciles, because the transfer is committing.
    if (!isExchangeError(error)) throw error;
    if (isExchangeError(error, 'outcome-unknown')) return { is: 'committed', transfer };
    // Any other error means that the service didn't get the call, for example because there was no token.
    return { is: 'stopped', error, leftovers: 'settled' };
  }
  const sent = await transfersIn(services.store).change(transfer.id, async () => ({ step: 'accept' }));
  if (sent === undefined) throw workspaceRemoved();
  showPhase(services, sent, 'sent');
  return { is: 'committed', transfer: sent };
}

/** Cleans up after an attempt that sent nothing. Then the transfer ends, or waits for another approval or a resume. */
async function stopTransfer(
  services: TransferServices,
  exchange: Exchange,
  transfer: Transfer,
  { error, leftovers }: Stopped,
  context: JobContext,
): Promise<void> {
  const isPaused = isDroplineError(error, 'paused');
  const isUnapproved = error instanceof ApprovalEndedError;
  // Even without leftovers of this attempt, an earlier one can have left some. After a pause, the next one cleans up.
  if (!isPaused || leftovers !== 'none') await tryCleanUp(services, exchange, transfer, context);
  if (leftovers === 'late') {
    if (!isPaused && !isUnapproved) showPhase(services, transfer, 'stopping');
    await waitForLateCalls(services, context.signal);
    await tryCleanUp(services, exchange, transfer, context);
  }
  if (isPaused) return waitForResume(services, transfer);
  if (isUnapproved && (await renewApproval(services, transfer, error.renewed))) return;
  // Without a new approval, it was cancelled.
  const reason = isUnapproved ? cancelled() : error;
  const end = isDroplineError(reason, 'cancelled') ? 'cancelled' : 'failed';
  await endTransfer(services, transfer, end, { result: resultOf(reason) });
}

/** Deletes our uploads. A refusal of the service is only logged: the next transfer cleans up before it sends. */
async function tryCleanUp(
  services: TransferServices,
  exchange: Exchange,
  { id, workspace }: Transfer,
  { signal }: JobContext,
): Promise<void> {
  await cleanUp(services, exchange).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!isExchangeError(error)) throw error;
    services.log.warn({ workspace, transfer: id, err: error }, 'cleanup after transfer failed');
  });
}

/** Waits until delayed calls have taken effect, so that the cleanup or preparation after this undoes them. */
async function waitForLateCalls({ timing }: TransferServices, signal: AbortSignal): Promise<void> {
  // Rejects with the signal's reason instead of an AbortError.
  await sleep(timing.reconcilePauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/**
 * Reconciles the transfer that holds the account, if it hasn't ended: with two at once, a history entry could belong to
 * either. Rejects if the account stays on hold.
 */
async function reconcileHeld(
  services: TransferServices,
  exchange: Exchange,
  transfer: Transfer,
  context: JobContext,
): Promise<void> {
  const { pool } = services.store;
  const currentHold = await holdOf(pool, transfer.account);
  if (currentHold === undefined) return;
  const other = await transfersIn(services.store).read(currentHold.transfer);
  if (other !== undefined && other.endedAt === undefined) {
    await reconcileTransfer(services, exchange, other, context);
    await notifyEnd(services, other.id);
  }
  await giveUpOrphan(services.store, transfer.account);
  await expectReleased(pool, transfer.account);
}

/** Runs `work`, and aborts it if someone cancels, an admin pauses, or the workspace's connection changes. */
async function runCancellable<T>(
  services: TransferServices,
  transfer: Transfer,
  connection: Connection,
  context: JobContext,
  work: (guard: Guard) => Promise<T>,
): Promise<T> {
  return withRegularChecks(services.timing.stateCheckMs, context, work, async () => {
    await expectSameConnection(services, transfer, connection);
    const current = await transfersIn(services.store).read(transfer.id);
    if (current === undefined) throw workspaceRemoved();
    if (current.cancelledBy !== undefined) throw cancelled();
    await expectNotPaused(services, transfer, services.kinds[transfer.kind].pausedBy);
  });
}

function resultOf(error: unknown): Result {
  const names = isDroplineError(error) ? [...error.names] : [];
  return { code: outcomeOf(error), message: errorMessageOf(error), names };
}

/**
 * Runs `work` with a guard that calls `checkState` before every call to the service, and every `everyMs` milliseconds.
 */
async function withRegularChecks<T>(
  everyMs: number,
  jobGuard: Guard,
  work: (guard: Guard) => Promise<T>,
  checkState: () => Promise<void>,
): Promise<T> {
  const controller = new AbortController();
  const signal = AbortSignal.any([jobGuard.signal, controller.signal]);
  let isChecking = false;
  const timer = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    // A database error doesn't abort the work here: the guard checks again before the next call, and rejects then.
    await checkState().catch((error: unknown) => isDroplineError(error) && controller.abort(error));
    isChecking = false;
  }, everyMs);
  const check = async () => {
    signal.throwIfAborted();
    try {
      await jobGuard.check();
      await checkState();
    } catch (error) {
      // Aborts, so that no code takes this for an error of the call, for example a failed upload.
      controller.abort(error);
      throw error;
    }
  };
  try {
    return await work({ signal, check });
  } finally {
    clearInterval(timer);
  }
}
