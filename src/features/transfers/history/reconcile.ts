import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, isExchangeError } from '../../../exchange/index.ts';
import type { Guard } from '../../common/connection.ts';
import type { Services } from '../../common/services.ts';
import { endTransfer } from '../end.ts';
import { type TransferWithDetails, transfersIn } from '../repository.ts';
import { cleanUp } from '../uploads/operations.ts';
import {
  differenceOf,
  expectedOf,
  isPartialMatch,
  type NewEntries,
  type RelatedEntry,
  withConfirmedEntry,
} from './compare.ts';
import { entryHashOf, readNewEntries } from './entries.ts';
import { endInDoubt, scheduleLateCheck } from './jobs.ts';

/**
 * Reconciles a committed transfer, no matter which process committed it: finds out whether it was sent, compares what
 * was sent with what was confirmed, and cleans up. Runs under the account's lock of transfers, which guards `exchange`.
 */
export async function reconcileTransfer(
  services: Services,
  exchange: Exchange,
  transfer: TransferWithDetails,
  guard: Guard,
): Promise<void> {
  const repository = transfersIn(services.store);
  const wasConfirmed = transfer.state === 'sent';
  let current = transfer;
  if (current.state === 'committing') {
    showPhase(services, current, 'reconciling');
    const outcome = await findOutcome(services, exchange, current, guard);
    if (outcome !== 'sent') return endInDoubt(services, current, outcome);
    const sent = await repository.change(current.id, async () => ({ state: 'sent' }));
    if (sent === undefined) return;
    current = sent;
  }
  showPhase(services, current, 'cleaning');
  const read = await waitForEntry(services, exchange, current, guard);
  const newEntries = read !== undefined && wasConfirmed ? withConfirmedEntry(read, expectedOf(current)) : read;
  const difference = newEntries === undefined ? undefined : differenceOf(newEntries);
  const entryHash = entryHashOf(newEntries);
  await repository.change(current.id, async () => ({
    entryHash,
    details: difference === undefined ? {} : { difference },
  }));
  await cleanUpLeftovers(services, exchange, current);
  // The API doesn't promise that requests appear in the history, so don't wait for their entries.
  if (entryHash === undefined && current.kind === 'send') await scheduleLateCheck(services, current);
  await endTransfer(services, current, 'sent');
}

type Outcome = 'sent' | 'probably-not-sent' | 'unknown';

const readsNeeded = 3;
const maxReads = 6;

/**
 * Finds out whether a transfer without a clear answer was sent. Cleans up first, so that a delayed call can't send
 * anything, then reads the history until several reads agree.
 */
async function findOutcome(
  services: Services,
  exchange: Exchange,
  transfer: TransferWithDetails,
  { signal }: Guard,
): Promise<Outcome> {
  const { hidden = 0 } = transfer.details.snapshot ?? {};
  let isClean = false;
  let absences = 0;
  let isAmbiguous = transfer.details.vanished ?? false;
  for (let read = 0; read < maxReads && absences < readsNeeded; read += 1) {
    if (read > 0) await sleep(services.timing.reconcilePauseMs, undefined, { signal });
    isClean ||= await succeeds(signal, async () => {
      const { vanished } = await cleanUp(services, exchange);
      if (!hasVanished(transfer, vanished)) return;
      // We didn't delete these files, so they were sent, or another client deleted them. So a missing history entry no
      // longer proves that nothing was sent.
      isAmbiguous = true;
      await transfersIn(services.store).change(transfer.id, async () => ({ details: { vanished: true } }));
    });
    let isFound = false;
    const isRead = await succeeds(signal, async () => {
      const newEntries = await readNewEntries(services, exchange, transfer);
      const isOurs = (entry: RelatedEntry) => isPartialMatch(entry, expectedOf(transfer));
      isFound = newEntries.matching.length > hidden || newEntries.differing.some(isOurs);
      if (isFound) return;
      // The history changed in another way: this transfer's entry could lack details, or could have disappeared.
      if (newEntries.matching.length > 0 || newEntries.growth !== 0) isAmbiguous = true;
      const difference = differenceOf(newEntries);
      if (difference === undefined) return;
      // A different transfer has some of the same files or recipients. This transfer could have been sent too.
      isAmbiguous = true;
      await transfersIn(services.store).change(transfer.id, async () => ({ details: { difference } }));
    });
    if (isFound) return 'sent';
    // A missing entry counts only after the cleanup: until then a delayed call could still send.
    if (isRead && isClean) absences += 1;
  }
  // For a request, a missing entry proves nothing: the API doesn't promise that requests appear in the history.
  const isSure = absences >= readsNeeded && !isAmbiguous && transfer.kind === 'send';
  return isSure ? 'probably-not-sent' : 'unknown';
}

function hasVanished({ details }: TransferWithDetails, vanished: readonly string[]): boolean {
  const names = details.uploadedNames ?? details.files.map(({ name }) => name);
  return names.some((name) => vanished.includes(name));
}

/** Resolves with false if the service refuses or doesn't answer. Rejects with all other errors. */
async function succeeds(signal: AbortSignal, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (!isExchangeError(error)) throw error;
    return false;
  }
}

/** Reads the history several times, because it can lag behind a confirmed transfer. */
async function waitForEntry(
  services: Services,
  exchange: Exchange,
  transfer: TransferWithDetails,
  { signal }: Guard,
): Promise<NewEntries | undefined> {
  let newEntries: NewEntries | undefined;
  for (const pause of services.timing.verifyPausesMs) {
    await sleep(pause, undefined, { signal });
    await succeeds(signal, async () => {
      newEntries = await readNewEntries(services, exchange, transfer);
    });
    if (newEntries !== undefined && newEntries.matching.length + newEntries.differing.length > 0) break;
  }
  return newEntries;
}

/** Cleans up after a transfer. A failure is only logged: the next transfer cleans up before it sends. */
async function cleanUpLeftovers(
  services: Services,
  exchange: Exchange,
  { id, workspace }: TransferWithDetails,
): Promise<void> {
  try {
    await cleanUp(services, exchange);
  } catch (error) {
    if (!isExchangeError(error)) throw error;
    services.log.warn({ workspace, transfer: id, err: error }, 'cleanup after transfer failed');
  }
}

export function showPhase(
  services: Services,
  transfer: TransferWithDetails,
  phase: 'sent' | 'reconciling' | 'cleaning' | 'stopping',
): void {
  const { files } = transfer.details;
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  const allFiles = { file: files.length, files: files.length, bytes: totalBytes, totalBytes };
  services.notifier.progress(transfer, { phase, ...allFiles });
}
