import { setTimeout as sleep } from 'node:timers/promises';
import { DroplineError, isDroplineError } from '../../errors.ts';
import { type Exchange, isExchangeError, type Operation } from '../../exchange/index.ts';
import { handlerOf, type JobContext, type JobHandler, type JobKind } from '../../jobs/index.ts';
import { outcomeOf } from '../common/audited.ts';
import { withPlainLock } from '../common/connection/account-lock.ts';
import { connectionOf, expectSameConnection } from '../common/connection/connection.ts';
import { type Guard, guarded } from '../common/connection/guarded.ts';
import { errorMessageOf, hasErrorMessage } from '../common/error-message.ts';
import type { Services } from '../common/services.ts';
import { cleanUp } from './clean-up.ts';
import { type End, endTransfer, notifyEnd } from './end.ts';
import { expectReleased, giveUpOrphan, hold, holdOf } from './holds.ts';
import { endInDoubt } from './late-look.ts';
import { reconcileTransfer, showPhase } from './reconcile.ts';
import { type OpenTransfer, type Result, type TransferDetails, transfersIn } from './repository.ts';
import { watch } from './watch.ts';

/** The steps that differ between the kinds of transfer. */
export interface TransferSteps {
  /** Everything before the one call that sends. If it throws, nothing was sent. */
  prepare(services: Services, exchange: Exchange, transfer: OpenTransfer, signal: AbortSignal): Promise<Prepared>;
  /** The call that sends; made once. */
  commit(exchange: Exchange, transfer: OpenTransfer): Promise<void>;
}

/** What is needed to find the transfer in the history. */
export type Prepared = Pick<TransferDetails, 'given' | 'snapshot'>;

export type TransferJobKind = JobKind<{ transfer: string }>;

/**
 * If the service refuses, the transfer ends at once, with a button to try again. These attempts are for our own
 * failures: with their delays they take an hour and a quarter, then the person is notified.
 */
export const transferAttempts = 8;

/** Runs one transfer from its confirmation to its end, under its account's outgoing lock. Sends at most once. */
export function transferJob(services: Services, kind: TransferJobKind, steps: TransferSteps): JobHandler {
  const repository = transfersIn(services.store);
  return handlerOf<{ transfer: string }>({
    kind,
    async run({ transfer: id }, context) {
      const transfer = await repository.read(id);
      if (transfer === undefined) return; // its workspace was deleted
      if (isOpen(transfer))
        await withPlainLock(services.store, 'outgoing', transfer.account, context, (locked) =>
          carryOn(services, steps, transfer, locked),
        );
      await notifyEnd(services, id);
    },
    async giveUp({ transfer: id }, error) {
      const transfer = await repository.read(id);
      if (transfer !== undefined && isOpen(transfer)) await endAsItStands(services, transfer, error);
      await notifyEnd(services, id);
    },
  });
}

async function carryOn(services: Services, steps: TransferSteps, transfer: OpenTransfer, context: JobContext) {
  let exchange: Exchange;
  try {
    // A workspace that is leaving can still reconcile what it has sent.
    const connection = await connectionOf(services, transfer.workspace, { evenIfLeaving: true });
    exchange = connection.exchange;
    if (exchange.account !== transfer.account)
      throw new DroplineError('not-connected', 'Another account is connected now.');
  } catch (error) {
    if (!isDroplineError(error, 'not-connected')) throw error;
    return endAsItStands(services, transfer, error);
  }
  if (transfer.state === 'committing' || transfer.state === 'sent') {
    return reconcileTransfer(services, guarded(exchange, context), transfer, context);
  }
  const committed = await attempt(services, steps, exchange, transfer, context);
  if (committed !== undefined) await reconcileTransfer(services, guarded(exchange, context), committed, context);
}

/** Nothing more can be done: ends the transfer according to the state it has reached. */
function endAsItStands(services: Services, transfer: OpenTransfer, error: unknown): Promise<void> {
  if (transfer.state === 'sent') return endTransfer(services, transfer, 'sent');
  if (transfer.state === 'committing') return endInDoubt(services, transfer, 'unknown');
  return endTransfer(services, transfer, 'failed', { result: resultOf(error) });
}

/** Prepares and makes the call that sends. Resolves with undefined if the transfer ended without it. */
async function attempt(
  services: Services,
  steps: TransferSteps,
  unguarded: Exchange,
  transfer: OpenTransfer,
  context: JobContext,
): Promise<OpenTransfer | undefined> {
  const repository = transfersIn(services.store);
  const exchange = guarded(unguarded, context);
  // If it was already running, an earlier attempt was interrupted, possibly in the middle of a call.
  let mayComeLate = transfer.state === 'running';
  // The service may carry out an unanswered call later, and with it send the next transfer's files to the wrong people.
  const onUnanswered = (operation: Operation) => {
    if (operation === 'setReceivers' || operation === 'upload') mayComeLate = true;
  };
  let committing: OpenTransfer | undefined;
  try {
    await expectRunning(services, transfer);
    await expectNotHeld(services, exchange, transfer, context);
    committing = await watched(services, transfer, context, async (guard) => {
      if (await repository.hasBrokenOff(transfer)) await untilLateCallsAreDone(services, guard.signal);
      const prepared = await steps.prepare(
        services,
        guarded(unguarded.with({ onUnanswered }), guard),
        transfer,
        guard.signal,
      );
      await guard.check();
      return repository.change(transfer.id, async ({ cancelledBy }, client) => {
        if (cancelledBy !== undefined) return undefined;
        await hold(client, transfer.account, transfer.id);
        return { state: 'committing', committed: true, details: prepared };
      });
    });
    if (committing === undefined) throw new DroplineError('cancelled', 'It was cancelled; nothing was sent.');
  } catch (error) {
    context.signal.throwIfAborted();
    if (!hasErrorMessage(error)) throw error;
    await backOut(services, exchange, transfer, error, context, { mayComeLate });
    return undefined;
  }
  return commitOnce(services, steps, exchange, committing, context);
}

async function commitOnce(
  services: Services,
  steps: TransferSteps,
  exchange: Exchange,
  transfer: OpenTransfer,
  context: JobContext,
): Promise<OpenTransfer | undefined> {
  try {
    await steps.commit(exchange, transfer);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!isExchangeError(error)) throw error;
    // The client says so if anything could have gone out. On other errors (no token, say) the service has seen nothing.
    if (isExchangeError(error, 'outcome-unknown')) return transfer;
    await backOut(services, exchange, transfer, error, context);
    return undefined;
  }
  const sent = await transfersIn(services.store).change(transfer.id, async () => ({ state: 'sent' }));
  if (sent !== undefined) showPhase(services, sent, 'sent');
  return sent;
}

/** Nothing was sent: deletes our uploads, as far as possible now, and ends the transfer with the reason. */
async function backOut(
  services: Services,
  exchange: Exchange,
  transfer: OpenTransfer,
  error: unknown,
  context: JobContext,
  { mayComeLate = false } = {},
): Promise<void> {
  const tidy = () =>
    cleanUp(services, exchange).catch((failure: unknown) => {
      context.signal.throwIfAborted();
      if (!isExchangeError(failure)) throw failure;
      services.log.warn(
        { workspace: transfer.workspace, transfer: transfer.id, err: failure },
        'cleanup after transfer failed',
      );
    });
  await tidy();
  if (mayComeLate) {
    showPhase(services, transfer, 'stopping');
    await untilLateCallsAreDone(services, context.signal);
    await tidy();
  }
  const end: End = isDroplineError(error, 'cancelled') ? 'cancelled' : 'failed';
  await endTransfer(services, transfer, end, { result: resultOf(error) });
}

/** Gives late calls time to arrive, so that their effects are cleaned up before another transfer is prepared. */
async function untilLateCallsAreDone({ timing }: Services, signal: AbortSignal): Promise<void> {
  await sleep(timing.reconcilePauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Reconciles an earlier open transfer first: the history can't distinguish the outcomes of two open ones. */
async function expectNotHeld(services: Services, exchange: Exchange, transfer: OpenTransfer, context: JobContext) {
  const { pool } = services.store;
  const found = await holdOf(pool, transfer.account);
  if (found === undefined) return;
  const other = await transfersIn(services.store).read(found.dispatch);
  if (other !== undefined && isOpen(other)) {
    await reconcileTransfer(services, exchange, other, context);
    await notifyEnd(services, other.id);
  }
  await giveUpOrphan(pool, transfer.account);
  await expectReleased(pool, transfer.account);
}

async function expectRunning({ store }: Services, { id }: OpenTransfer): Promise<void> {
  const running = await transfersIn(store).change(id, async ({ cancelledBy }) =>
    cancelledBy === undefined ? { state: 'running' } : undefined,
  );
  if (running === undefined) throw new DroplineError('cancelled', 'It was cancelled; nothing was sent.');
}

/** Until something is sent, the person can cancel and the workspace can leave. */
async function watched<T>(
  services: Services,
  transfer: OpenTransfer,
  context: JobContext,
  work: (guard: Guard) => Promise<T>,
): Promise<T> {
  const connection = await connectionOf(services, transfer.workspace);
  return watch(services.timing.watchMs, context, work, async () => {
    await expectSameConnection(services, transfer.workspace, connection);
    const now = await transfersIn(services.store).read(transfer.id);
    if (now === undefined) throw new DroplineError('not-connected', 'The workspace has gone.');
    if (now.cancelledBy !== undefined) throw new DroplineError('cancelled', 'It was cancelled; nothing was sent.');
  });
}

function resultOf(error: unknown): Result {
  const names = isDroplineError(error) ? [...error.names] : [];
  return { code: outcomeOf(error), sentence: errorMessageOf(error), names };
}

function isOpen(transfer: { endedAt: Date | undefined; details: unknown }): transfer is OpenTransfer {
  return transfer.endedAt === undefined && transfer.details !== undefined;
}
