import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, isExchangeError } from '../../../exchange/index.ts';
import type { Guard } from '../../common/connection.ts';
import {
  differenceOf,
  expectedOf,
  isPartialMatch,
  type NewEntries,
  type RelatedEntry,
  withConfirmedEntry,
} from '../history/compare.ts';
import { entryHashOf, readNewEntries } from '../history/entries.ts';
import type { TransferServices } from '../kind.ts';
import { transfersIn } from '../repository.ts';
import { filesOf, sizeOfAll, type Transfer } from '../transfer.ts';
import { cleanUp } from '../uploads/operations.ts';
import { endTransfer } from './end.ts';
import { endInDoubt, scheduleLateCheck } from './jobs.ts';

/**
 * Reconciles a committed transfer, no matter which process committed it: finds out whether it was sent, compares what
 * was sent with what was confirmed, and cleans up. Runs under the account's lock of transfers, which guards `exchange`.
 */
export async function reconcileTransfer(
  services: TransferServices,
  exchange: Exchange,
  transfer: Transfer,
  guard: Guard,
): Promise<void> {
  const repository = transfersIn(services.store);
  // After a restart, this includes a transfer that only the history confirmed. Then its message isn't compared.
  const wasConfirmed = transfer.state === 'sent';
  let current = transfer;
  if (current.state === 'committing') {
    showPhase(services, current, 'reconciling');
    const outcome = await findOutcome(services, exchange, current, guard);
    if (outcome !== 'sent') return endInDoubt(services, current, outcome);
    const sent = await repository.change(current.id, async () => ({ step: 'accept' }));
    if (sent === undefined) return;
    current = sent;
  }
  showPhase(services, current, 'cleaning');
  const read = await waitForEntry(services, exchange, current, guard);
  const newEntries = read !== undefined && wasConfirmed ? withConfirmedEntry(read, expectedOf(current)) : read;
  const entryHash = entryHashOf(newEntries);
  // An earlier read can have found a difference in an entry that was still incomplete.
  const progress = newEntries === undefined ? {} : { difference: differenceOf(newEntries) };
  await repository.change(current.id, async () => ({ entryHash, progress }));
  await cleanUpLeftovers(services, exchange, current);
  if (entryHash === undefined && services.kinds[current.kind].isInHistory) await scheduleLateCheck(services, current);
  await endTransfer(services, current, 'sent');
}

type Outcome = 'sent' | 'probably-not-sent' | 'unknown';

const readsNeeded = 3;
const maxReads = 6;

/**
 * Finds out whether a transfer without a clear answer was sent. Cleans up first, so that a delayed call can't send
 * anything, then reads the history until it shows the transfer, or until several reads after the cleanup don't.
 */
async function findOutcome(
  services: TransferServices,
  exchange: Exchange,
  transfer: Transfer,
  { signal }: Guard,
): Promise<Outcome> {
  let isClean = false;
  let isAmbiguous = transfer.progress.vanished ?? false;
  let readsAfterCleanUp = 0;
  for (let read = 0; read < maxReads && readsAfterCleanUp < readsNeeded; read += 1) {
    if (read > 0) await sleep(services.timing.reconcilePauseMs, undefined, { signal });
    if (!isClean) {
      const cleaned = await cleanUpBeforeReading(services, exchange, transfer, signal);
      isClean = cleaned !== 'refused';
      isAmbiguous ||= cleaned === 'vanished';
    }
    const sight = await lookForEntry(services, exchange, transfer, signal);
    if (sight === 'found') return 'sent';
    isAmbiguous ||= sight === 'ambiguous';
    // A missing entry counts only after the cleanup: until then a delayed call could still send.
    if (isClean && sight !== 'unreadable') readsAfterCleanUp += 1;
  }
  const isSure = readsAfterCleanUp >= readsNeeded && !isAmbiguous && services.kinds[transfer.kind].isInHistory;
  return isSure ? 'probably-not-sent' : 'unknown';
}

/**
 * `vanished`: the account no longer had uploads that we didn't delete. They were sent, or another client deleted them,
 * so a missing history entry no longer proves that nothing was sent.
 */
async function cleanUpBeforeReading(
  services: TransferServices,
  exchange: Exchange,
  transfer: Transfer,
  signal: AbortSignal,
): Promise<'refused' | 'clean' | 'vanished'> {
  const cleaned = await unlessRefused(signal, () => cleanUp(services, exchange));
  if (cleaned === undefined) return 'refused';
  if (!expectedOf(transfer).files.some((name) => cleaned.vanished.includes(name))) return 'clean';
  await transfersIn(services.store).change(transfer.id, async () => ({ progress: { vanished: true } }));
  return 'vanished';
}

/**
 * Reads the history once. `ambiguous`: the transfer's entry isn't there, but the history changed in another way. The
 * entry could lack details or have disappeared, or a transfer with some of the same files or recipients was sent too.
 */
async function lookForEntry(
  services: TransferServices,
  exchange: Exchange,
  transfer: Transfer,
  signal: AbortSignal,
): Promise<'found' | 'absent' | 'ambiguous' | 'unreadable'> {
  const newEntries = await unlessRefused(signal, () => readNewEntries(services, exchange, transfer));
  if (newEntries === undefined) return 'unreadable';
  const { matching, differing, growth } = newEntries;
  const { hidden = 0 } = transfer.progress.snapshot ?? {};
  const isOurs = (entry: RelatedEntry) => isPartialMatch(entry, expectedOf(transfer));
  if (matching.length > hidden || differing.some(isOurs)) return 'found';
  const difference = differenceOf(newEntries);
  if (difference !== undefined)
    await transfersIn(services.store).change(transfer.id, async () => ({ progress: { difference } }));
  return matching.length > 0 || growth !== 0 || difference !== undefined ? 'ambiguous' : 'absent';
}

/** Resolves with undefined if the service refuses or doesn't answer. Rejects with all other errors. */
async function unlessRefused<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (!isExchangeError(error)) throw error;
    return undefined;
  }
}

/** Reads the history several times, because it can lag behind a confirmed transfer. */
async function waitForEntry(
  services: TransferServices,
  exchange: Exchange,
  transfer: Transfer,
  { signal }: Guard,
): Promise<NewEntries | undefined> {
  let newEntries: NewEntries | undefined;
  for (const pause of services.timing.verifyPausesMs) {
    await sleep(pause, undefined, { signal });
    newEntries = (await unlessRefused(signal, () => readNewEntries(services, exchange, transfer))) ?? newEntries;
    if (newEntries !== undefined && newEntries.matching.length + newEntries.differing.length > 0) break;
  }
  return newEntries;
}

/** Cleans up after a transfer. A failure is only logged: the next transfer cleans up before it sends. */
async function cleanUpLeftovers(
  services: TransferServices,
  exchange: Exchange,
  { id, workspace }: Transfer,
): Promise<void> {
  try {
    await cleanUp(services, exchange);
  } catch (error) {
    if (!isExchangeError(error)) throw error;
    services.log.warn({ workspace, transfer: id, err: error }, 'cleanup after transfer failed');
  }
}

export function showPhase(
  { notifier }: TransferServices,
  transfer: Transfer,
  phase: 'sent' | 'reconciling' | 'cleaning' | 'stopping',
): void {
  const files = filesOf(transfer);
  const totalBytes = sizeOfAll(files);
  notifier.progress(transfer, { phase, file: files.length, files: files.length, bytes: totalBytes, totalBytes });
}
