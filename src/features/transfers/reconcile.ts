import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, isExchangeError } from '../../exchange/index.ts';
import type { Guard } from '../common/connection/guarded.ts';
import type { Services } from '../common/services.ts';
import { cleanUp } from './clean-up.ts';
import { type Akin, afterYes, differenceOf, expectedOf, isUnmistakable, type News } from './compare.ts';
import { endTransfer } from './end.ts';
import { endInDoubt, lookLater } from './late-look.ts';
import { type OpenTransfer, transfersIn } from './repository.ts';
import { markOf, readNews } from './shown.ts';

/**
 * Reconciles a committed transfer, no matter which process committed it: finds out whether it was sent, compares what
 * was sent with what was confirmed, and cleans up. Runs under the outgoing lock, which guards `exchange`.
 */
export async function reconcileTransfer(
  services: Services,
  exchange: Exchange,
  transfer: OpenTransfer,
  guard: Guard,
): Promise<void> {
  const repository = transfersIn(services.store);
  const wasSaid = transfer.state === 'sent';
  let current = transfer;
  if (current.state === 'committing') {
    showPhase(services, current, 'settling');
    const outcome = await findOut(services, exchange, current, guard);
    if (outcome !== 'sent') return endInDoubt(services, current, outcome);
    const sent = await repository.change(current.id, async () => ({ state: 'sent' }));
    if (sent === undefined) return;
    current = sent;
  }
  showPhase(services, current, 'cleaning');
  const found = await lookFor(services, exchange, current, guard);
  const news = found !== undefined && wasSaid ? afterYes(found, expectedOf(current)) : found;
  const difference = news === undefined ? undefined : differenceOf(news);
  const entryMark = markOf(news);
  await repository.change(current.id, async () => ({
    entryMark,
    details: difference === undefined ? {} : { difference },
  }));
  await tidy(services, exchange, current);
  // That a request appears in the history is our reading of the API: its entry might never come.
  if (entryMark === undefined && current.kind === 'dispatch') await lookLater(services, current);
  await endTransfer(services, current, 'sent');
}

type Outcome = 'sent' | 'probably-not-sent' | 'unknown';

const readingsNeeded = 3;
const mostReadings = 6;

/** No `ok` came. Clears the recipients first, so that nothing more is sent, then reads the history until it is sure. */
async function findOut(
  services: Services,
  exchange: Exchange,
  transfer: OpenTransfer,
  { signal }: Guard,
): Promise<Outcome> {
  const { hidden = 0 } = transfer.details.snapshot ?? {};
  let isClean = false;
  let absences = 0;
  let isAmbiguous = transfer.details.vanished ?? false;
  for (let reading = 0; reading < mostReadings && absences < readingsNeeded; reading += 1) {
    if (reading > 0) await sleep(services.timing.reconcilePauseMs, undefined, { signal });
    isClean ||= await isDone(signal, async () => {
      const { vanished } = await cleanUp(services, exchange);
      if (!hasVanished(transfer, vanished)) return;
      // We didn't delete these files: they were sent, or another user deleted them. A missing entry proves nothing.
      isAmbiguous = true;
      await transfersIn(services.store).change(transfer.id, async () => ({ details: { vanished: true } }));
    });
    let isFound = false;
    const isRead = await isDone(signal, async () => {
      const news = await readNews(services, exchange, transfer);
      const isOurs = (entry: Akin) => isUnmistakable(entry, expectedOf(transfer));
      isFound = news.alike.length > hidden || news.otherwise.some(isOurs);
      if (isFound) return;
      // An entry that disappeared, or a new one with too few details, could be ours.
      if (news.alike.length > 0 || news.growth !== 0) isAmbiguous = true;
      const difference = differenceOf(news);
      if (difference === undefined) return;
      // Another transfer is related to ours. It doesn't show whether ours was sent too.
      isAmbiguous = true;
      await transfersIn(services.store).change(transfer.id, async () => ({ details: { difference } }));
    });
    if (isFound) return 'sent';
    // A missing entry counts only while no recipients are set: otherwise a late call could still send.
    if (isRead && isClean) absences += 1;
  }
  // The API doesn't promise that a grant appears in the history; that is our reading.
  const isSure = absences >= readingsNeeded && !isAmbiguous && transfer.kind === 'dispatch';
  return isSure ? 'probably-not-sent' : 'unknown';
}

function hasVanished({ details }: OpenTransfer, vanished: readonly string[]): boolean {
  const names = details.given ?? details.files.map(({ name }) => name);
  return names.some((name) => vanished.includes(name));
}

/** Resolves with whether it worked. If the service refuses or doesn't answer, the caller tries again later. */
async function isDone(signal: AbortSignal, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (!isExchangeError(error)) throw error;
    return false;
  }
}

/** The service confirmed the send. Its history can lag, so it is read several times. */
async function lookFor(
  services: Services,
  exchange: Exchange,
  transfer: OpenTransfer,
  { signal }: Guard,
): Promise<News | undefined> {
  let news: News | undefined;
  for (const pause of services.timing.verifyPausesMs) {
    await sleep(pause, undefined, { signal });
    await isDone(signal, async () => {
      news = await readNews(services, exchange, transfer);
    });
    if (news !== undefined && news.alike.length + news.otherwise.length > 0) break;
  }
  return news;
}

/** A failure here doesn't fail the transfer: the next one cleans up first, so it can't send the leftovers. */
async function tidy(services: Services, exchange: Exchange, { id, workspace }: OpenTransfer): Promise<void> {
  try {
    await cleanUp(services, exchange);
  } catch (error) {
    if (!isExchangeError(error)) throw error;
    services.log.warn({ workspace, transfer: id, err: error }, 'cleanup after transfer failed');
  }
}

export function showPhase(
  services: Services,
  transfer: OpenTransfer,
  phase: 'sent' | 'settling' | 'cleaning' | 'stopping',
): void {
  const { files } = transfer.details;
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  const all = { file: files.length, files: files.length, bytes: totalBytes, totalBytes };
  services.notifier.progress(transfer, { phase, ...all });
}
