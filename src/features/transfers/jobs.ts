import { setTimeout as sleep } from 'node:timers/promises';
import { isDroplineError } from '../../errors.ts';
import { type Exchange, isExchangeError, type Operation } from '../../exchange/index.ts';
import { handlerOf, type JobContext, type JobHandler, type JobKind } from '../../jobs/index.ts';
import { errorMessageOf, hasErrorMessage, outcomeOf } from '../common/audited.ts';
import { connectionOf, expectSameConnection, type Guard, guarded } from '../common/connection.ts';
import { otherAccountConnected } from '../common/errors.ts';
import type { Services } from '../common/services.ts';
import { expectNotPaused } from '../settings/pause/checks.ts';
import { readSettings } from '../settings/repository.ts';
import { createApprovalCheck } from './approval/checks.ts';
import { ApprovalEndedError } from './approval/errors.ts';
import { renewApproval } from './approval/jobs.ts';
import { currentExpiresAfter } from './checks.ts';
import { type End, endTransfer, notifyEnd } from './end.ts';
import { cancelled, workspaceRemoved } from './errors.ts';
import { endInDoubt } from './history/jobs.ts';
import { reconcileTransfer, showPhase } from './history/reconcile.ts';
import { expectReleased, giveUpOrphan, hold, holdOf } from './holds/repository.ts';
import { expectNotPausedWithin, park, pauseTargetOf } from './pause/checks.ts';
import { type Result, type TransferDetails, type TransferWithDetails, transfersIn } from './repository.ts';
import { cleanUp } from './uploads/operations.ts';

/** The steps that differ between the kinds of transfer. */
export interface TransferSteps {
  /** Everything before the call that sends. If it rejects, nothing was sent. */
  prepare(
    services: Services,
    exchange: Exchange,
    transfer: TransferWithDetails,
    signal: AbortSignal,
  ): Promise<Prepared>;
  /** The call that sends; made once. */
  commit(exchange: Exchange, transfer: TransferWithDetails): Promise<void>;
}

/** The steps, and the job that runs them. */
interface TransferWork extends TransferSteps {
  kind: TransferJobKind;
}

/** Details that `prepare` adds: the result of the scan, and what is needed to find the transfer in the history. */
export type Prepared = Pick<TransferDetails, 'uploadedNames' | 'snapshot' | 'scan'>;

export type TransferJobKind = JobKind<{ transfer: string }>;

/**
 * Attempts after errors on our side, such as a lost database connection. Together they take about half an hour; then
 * the person is notified. If the service refuses, the transfer ends at once instead, and its card has a retry button.
 */
export const transferAttempts = 8;

/** Runs one transfer from its confirmation to its end, under its account's lock. Sends at most once. */
export function transferJob(services: Services, kind: TransferJobKind, steps: TransferSteps): JobHandler {
  const repository = transfersIn(services.store);
  return handlerOf<{ transfer: string }>({
    kind,
    async run({ transfer: id }, context) {
      const transfer = await repository.read(id);
      if (transfer === undefined) return; // its workspace was deleted
      if (transfer.state === 'approval') return; // has no job until it is approved
      if (isOpen(transfer)) await continueTransfer(services, { ...steps, kind }, transfer, context);
      await notifyEnd(services, id);
    },
    async giveUp({ transfer: id }, error) {
      const transfer = await repository.read(id);
      if (transfer?.state === 'approval') return; // waits for another approval
      if (transfer !== undefined && isOpen(transfer)) await endInCurrentState(services, transfer, error);
      await notifyEnd(services, id);
    },
  });
}

async function continueTransfer(
  services: Services,
  steps: TransferWork,
  transfer: TransferWithDetails,
  context: JobContext,
) {
  let exchange: Exchange;
  try {
    // A workspace that is being disconnected can still reconcile what it has sent.
    const connection = await connectionOf(services, transfer.workspace, { allowDisconnecting: true });
    exchange = connection.exchange;
    if (exchange.account !== transfer.account) throw otherAccountConnected();
  } catch (error) {
    if (!isDroplineError(error, 'not-connected')) throw error;
    return endInCurrentState(services, transfer, error);
  }
  if (transfer.state === 'committing' || transfer.state === 'sent') {
    return reconcileTransfer(services, guarded(exchange, context), transfer, context);
  }
  const committed = await attempt(services, steps, exchange, transfer, context);
  if (committed !== undefined) await reconcileTransfer(services, guarded(exchange, context), committed, context);
}

/** Ends a transfer that can't continue, with the outcome that its state implies. */
async function endInCurrentState(services: Services, transfer: TransferWithDetails, error: unknown): Promise<void> {
  if (transfer.state === 'sent') await endTransfer(services, transfer, 'sent');
  else if (transfer.state === 'committing') await endInDoubt(services, transfer, 'unknown');
  else await endTransfer(services, transfer, 'failed', { result: resultOf(error) });
}

/** Prepares the transfer and makes the call that sends it. Undefined if it ended without being sent, or waits. */
async function attempt(
  services: Services,
  steps: TransferWork,
  unguarded: Exchange,
  transfer: TransferWithDetails,
  context: JobContext,
): Promise<TransferWithDetails | undefined> {
  const repository = transfersIn(services.store);
  const exchange = guarded(unguarded, context);
  // If the transfer was already running, an earlier attempt was interrupted, possibly during a call.
  let hasLateCalls = transfer.state === 'running';
  let hasStarted = hasLateCalls;
  // The service can still execute an unanswered call later, and so send the next transfer's files to the wrong people.
  const onUnanswered = (operation: Operation) => {
    if (operation === 'setReceivers' || operation === 'upload') hasLateCalls = true;
  };
  let committing: TransferWithDetails | undefined;
  try {
    await markRunning(services, transfer);
    hasStarted = true;
    await reconcileHeld(services, exchange, transfer, context);
    committing = await runCancellable(services, transfer, context, async (guard) => {
      const expectApproved = createApprovalCheck(services, guarded(unguarded, guard), transfer);
      await expectApproved();
      if (await repository.hasInterrupted(transfer)) await waitForLateCalls(services, guard.signal);
      const prepared = await steps.prepare(
        services,
        guarded(unguarded.with({ onUnanswered }), guard),
        transfer,
        guard.signal,
      );
      await expectApproved();
      const settings = await readSettings(services, transfer.workspace);
      const zone = await services.people.zoneOf(transfer);
      const expiresAfter = currentExpiresAfter(settings, transfer.details, zone);
      await guard.check();
      return repository.change(transfer.id, async ({ cancelledBy }, client) => {
        if (cancelledBy !== undefined) return undefined;
        await expectNotPausedWithin(services, transfer, client);
        await hold(client, transfer);
        return { state: 'committing', committed: true, details: { ...prepared, expiresAfter } };
      });
    });
    if (committing === undefined) throw cancelled();
  } catch (error) {
    context.signal.throwIfAborted();
    if (!hasErrorMessage(error)) throw error;
    if (error instanceof ApprovalEndedError) {
      await cleanUpUnsent(services, exchange, transfer, context, { hasLateCalls });
      if (!(await renewApproval(services, transfer, error.renewed)))
        await endTransfer(services, transfer, 'cancelled', { result: resultOf(cancelled()) });
    } else if (isDroplineError(error, 'paused')) {
      if (hasStarted) await cleanUpUnsent(services, exchange, transfer, context, { hasLateCalls });
      await park(services, steps.kind, transfer);
    } else await endUnsent(services, exchange, transfer, error, context, { hasLateCalls });
    return undefined;
  }
  return commitOnce(services, steps, exchange, committing, context);
}

async function commitOnce(
  services: Services,
  steps: TransferSteps,
  exchange: Exchange,
  transfer: TransferWithDetails,
  context: JobContext,
): Promise<TransferWithDetails | undefined> {
  try {
    await steps.commit(exchange, transfer);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!isExchangeError(error)) throw error;
    // Any other error means that the service didn't get the call, for example because there was no token.
    if (isExchangeError(error, 'outcome-unknown')) return transfer;
    await endUnsent(services, exchange, transfer, error, context);
    return undefined;
  }
  const sent = await transfersIn(services.store).change(transfer.id, async () => ({ state: 'sent' }));
  if (sent !== undefined) showPhase(services, sent, 'sent');
  return sent;
}

/** Ends a transfer that wasn't sent, with the reason. Deletes its uploads first, if the service allows it. */
async function endUnsent(
  services: Services,
  exchange: Exchange,
  transfer: TransferWithDetails,
  error: unknown,
  context: JobContext,
  { hasLateCalls = false } = {},
): Promise<void> {
  const onLateCalls = () => showPhase(services, transfer, 'stopping');
  await cleanUpUnsent(services, exchange, transfer, context, { hasLateCalls, onLateCalls });
  const end: End = isDroplineError(error, 'cancelled') ? 'cancelled' : 'failed';
  await endTransfer(services, transfer, end, { result: resultOf(error) });
}

/** Deletes the uploads of a transfer that wasn't sent, if the service allows it. */
async function cleanUpUnsent(
  services: Services,
  exchange: Exchange,
  transfer: TransferWithDetails,
  context: JobContext,
  { hasLateCalls, onLateCalls }: { hasLateCalls: boolean; onLateCalls?: () => void },
): Promise<void> {
  const tryCleanUp = () =>
    cleanUp(services, exchange).catch((failure: unknown) => {
      context.signal.throwIfAborted();
      if (!isExchangeError(failure)) throw failure;
      services.log.warn(
        { workspace: transfer.workspace, transfer: transfer.id, err: failure },
        'cleanup after transfer failed',
      );
    });
  await tryCleanUp();
  if (!hasLateCalls) return;
  onLateCalls?.();
  await waitForLateCalls(services, context.signal);
  await tryCleanUp();
}

/** Waits until delayed calls have taken effect, so that the cleanup or preparation after this undoes them. */
async function waitForLateCalls({ timing }: Services, signal: AbortSignal): Promise<void> {
  await sleep(timing.reconcilePauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/**
 * Reconciles the transfer that holds the account, if it hasn't ended: with two at once, a history entry could belong to
 * either. Rejects if the account stays on hold.
 */
async function reconcileHeld(
  services: Services,
  exchange: Exchange,
  transfer: TransferWithDetails,
  context: JobContext,
) {
  const { pool } = services.store;
  const currentHold = await holdOf(pool, transfer.account);
  if (currentHold === undefined) return;
  const other = await transfersIn(services.store).read(currentHold.transfer);
  if (other !== undefined && isOpen(other)) {
    await reconcileTransfer(services, exchange, other, context);
    await notifyEnd(services, other.id);
  }
  await giveUpOrphan(services.store, transfer.account);
  await expectReleased(pool, transfer.account);
}

async function markRunning(services: Services, transfer: TransferWithDetails): Promise<void> {
  const running = await transfersIn(services.store).change(transfer.id, async ({ cancelledBy }, client) => {
    if (cancelledBy !== undefined) return undefined;
    await expectNotPausedWithin(services, transfer, client);
    return { state: 'running' };
  });
  if (running === undefined) throw cancelled();
}

/** Runs `work`, and aborts it if someone cancels, an admin pauses, or the workspace's connection changes. */
async function runCancellable<T>(
  services: Services,
  transfer: TransferWithDetails,
  context: JobContext,
  work: (guard: Guard) => Promise<T>,
): Promise<T> {
  const connection = await connectionOf(services, transfer.workspace);
  return withRegularChecks(services.timing.stateCheckMs, context, work, async () => {
    await expectSameConnection(services, transfer.workspace, connection);
    const current = await transfersIn(services.store).read(transfer.id);
    if (current === undefined) throw workspaceRemoved();
    if (current.cancelledBy !== undefined) throw cancelled();
    await expectNotPaused(services, transfer.workspace, pauseTargetOf[transfer.kind]);
  });
}

function resultOf(error: unknown): Result {
  const names = isDroplineError(error) ? [...error.names] : [];
  return { code: outcomeOf(error), message: errorMessageOf(error), names };
}

function isOpen(transfer: { endedAt: Date | undefined; details: unknown }): transfer is TransferWithDetails {
  return transfer.endedAt === undefined && transfer.details !== undefined;
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
