import { setTimeout as sleep } from 'node:timers/promises';
import { DroplineError, isDroplineError } from '../../errors.ts';
import { type Exchange, isExchangeError, type Operation } from '../../exchange/index.ts';
import { handlerOf, type JobContext, type JobHandler, type JobKind } from '../../jobs/index.ts';
import { withPlainLock } from '../account-lock.ts';
import { outcomeOf } from '../audited.ts';
import { connectionOf, expectSameConnection } from '../connection.ts';
import { errorMessageOf, hasErrorMessage } from '../error-message.ts';
import { type Guard, guarded } from '../guarded.ts';
import type { Services } from '../services.ts';
import { cleanUp } from './clean-up.ts';
import { type End, endTransfer, notifyEnd } from './end.ts';
import { expectReleased, giveUpOrphan, hold, holdOf } from './holds.ts';
import { endInDoubt } from './late-look.ts';
import { bringToEnd, showPhase } from './reconcile.ts';
import { type OpenTransfer, type Result, type TransferDetails, transfersIn } from './repository.ts';
import { watch } from './watch.ts';

/** What tells one kind of transfer from the other. */
export interface TransferSteps {
  /** Everything before the one call that sends. Whatever it throws, nothing was sent. */
  prepare(services: Services, exchange: Exchange, transfer: OpenTransfer, signal: AbortSignal): Promise<Prepared>;
  /** The call that sends; made once. */
  commit(exchange: Exchange, transfer: OpenTransfer): Promise<void>;
}

/** What must be known to find the transfer in the history. */
export type Prepared = Pick<TransferDetails, 'given' | 'snapshot'>;

export type TransferJobKind = JobKind<{ transfer: string }>;

/**
 * What the service refuses ends a transfer at once, with a button to try again. This is for what goes wrong with us: the
 * pauses between so many attempts make an hour and a quarter, then the person is told.
 */
export const transferAttempts = 8;

/** One transfer from its confirmation to its end, under the outgoing lock of its account, at most once. */
export function transferJob(services: Services, kind: TransferJobKind, steps: TransferSteps): JobHandler {
  const repository = transfersIn(services.store);
  return handlerOf<{ transfer: string }>({
    kind,
    async run({ transfer: id }, context) {
      const transfer = await repository.read(id);
      if (transfer === undefined) return; // its workspace has gone
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
    // A workspace that is leaving may still find out what it has sent.
    const connection = await connectionOf(services, transfer.workspace, { evenIfLeaving: true });
    exchange = connection.exchange;
    if (exchange.account !== transfer.account)
      throw new DroplineError('not-connected', 'Another account is connected now.');
  } catch (error) {
    if (!isDroplineError(error, 'not-connected')) throw error;
    return endAsItStands(services, transfer, error);
  }
  if (transfer.state === 'committing' || transfer.state === 'sent') {
    return bringToEnd(services, guarded(exchange, context), transfer, context);
  }
  const committed = await attempt(services, steps, exchange, transfer, context);
  if (committed !== undefined) await bringToEnd(services, guarded(exchange, context), committed, context);
}

/** No more can be done for it. */
function endAsItStands(services: Services, transfer: OpenTransfer, error: unknown): Promise<void> {
  if (transfer.state === 'sent') return endTransfer(services, transfer, 'sent');
  if (transfer.state === 'committing') return endInDoubt(services, transfer, 'unknown');
  return endTransfer(services, transfer, 'failed', { result: resultOf(error) });
}

/** Up to the call that sends. Resolves with nothing where the transfer came to its end before. */
async function attempt(
  services: Services,
  steps: TransferSteps,
  unguarded: Exchange,
  transfer: OpenTransfer,
  context: JobContext,
): Promise<OpenTransfer | undefined> {
  const repository = transfersIn(services.store);
  const exchange = guarded(unguarded, context);
  // One that was running before was broken off, in the middle of whatever call.
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
    // The client says so where anything may have gone out; else the service has seen nothing, as when it gives no token.
    if (isExchangeError(error, 'outcome-unknown')) return transfer;
    await backOut(services, exchange, transfer, error, context);
    return undefined;
  }
  const sent = await transfersIn(services.store).change(transfer.id, async () => ({ state: 'sent' }));
  if (sent !== undefined) showPhase(services, sent, 'sent');
  return sent;
}

/** Nothing was sent: takes back what was uploaded, as far as that is possible now, and says why. */
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
      services.log.warn({ workspace: transfer.workspace, transfer: transfer.id, err: failure }, 'not cleaned up yet');
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

/** As far as waiting helps: what comes now is cleaned up before anybody else's dispatch is prepared. */
async function untilLateCallsAreDone({ timing }: Services, signal: AbortSignal): Promise<void> {
  await sleep(timing.reconcilePauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Where an earlier transfer's outcome is open, it is found out first: with two open ones nothing could be told. */
async function expectNotHeld(services: Services, exchange: Exchange, transfer: OpenTransfer, context: JobContext) {
  const { pool } = services.store;
  const found = await holdOf(pool, transfer.account);
  if (found === undefined) return;
  const other = await transfersIn(services.store).read(found.dispatch);
  if (other !== undefined && isOpen(other)) {
    await bringToEnd(services, exchange, other, context);
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

/** While nothing has been sent, the person may cancel, and the workspace may leave. */
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
