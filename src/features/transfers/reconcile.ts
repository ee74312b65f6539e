import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, isExchangeError } from '../../exchange/index.ts';
import type { Guard } from '../guarded.ts';
import type { Services } from '../services.ts';
import { cleanUp } from './clean-up.ts';
import { type Akin, afterYes, differenceOf, expectedOf, isUnmistakable, type News } from './compare.ts';
import { endTransfer } from './end.ts';
import { endInDoubt, lookLater } from './late-look.ts';
import { type OpenTransfer, transfersIn } from './repository.ts';
import { markOf, readNews } from './shown.ts';

/**
 * Takes a transfer that was committed to its end, whoever committed it: finds out whether it was sent, compares what was
 * sent with what was confirmed, and leaves nothing behind. Under the outgoing lock; `exchange` is fenced by it.
 */
export async function bringToEnd(
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
  // What a request leaves in the history is our reading of the API: it need not come at all.
  if (entryMark === undefined && current.kind === 'dispatch') await lookLater(services, current);
  await endTransfer(services, current, 'sent');
}

type Outcome = 'sent' | 'probably-not-sent' | 'unknown';

const readingsNeeded = 3;
const mostReadings = 6;

/** No `ok` came. First of all nobody is to get anything any more; then the history is asked, and believed when it is sure. */
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
      // Files that went by themselves were sent, or taken away by somebody: their absence from the history proves nothing.
      isAmbiguous = true;
      await transfersIn(services.store).change(transfer.id, async () => ({ details: { vanished: true } }));
    });
    let isFound = false;
    const isRead = await isDone(signal, async () => {
      const news = await readNews(services, exchange, transfer);
      const isOurs = (entry: Akin) => isUnmistakable(entry, expectedOf(transfer));
      isFound = news.alike.length > hidden || news.otherwise.some(isOurs);
      if (isFound) return;
      // An entry that has gone, or come and says too little of itself, may be ours.
      if (news.alike.length > 0 || news.growth !== 0) isAmbiguous = true;
      const difference = differenceOf(news);
      if (difference === undefined) return;
      // Somebody else's drop has something of it, and does not tell whether ours was made too.
      isAmbiguous = true;
      await transfersIn(services.store).change(transfer.id, async () => ({ details: { difference } }));
    });
    if (isFound) return 'sent';
    // Only while nobody is set does "not there" mean that it will not come later either.
    if (isRead && isClean) absences += 1;
  }
  // That a grant appears in the history is our reading of the API, not its word.
  const isSure = absences >= readingsNeeded && !isAmbiguous && transfer.kind === 'dispatch';
  return isSure ? 'probably-not-sent' : 'unknown';
}

function hasVanished({ details }: OpenTransfer, vanished: readonly string[]): boolean {
  const names = details.given ?? details.files.map(({ name }) => name);
  return names.some((name) => vanished.includes(name));
}

/** Whether it could be done; what the service refuses or does not answer is tried again later. */
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

/** The service said that it was sent: the history will show it, perhaps a little later. */
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

/** What is left is not sent by the next one either, which looks first: a failure here is no failure of the transfer. */
async function tidy(services: Services, exchange: Exchange, { id, workspace }: OpenTransfer): Promise<void> {
  try {
    await cleanUp(services, exchange);
  } catch (error) {
    if (!isExchangeError(error)) throw error;
    services.log.warn({ workspace, transfer: id, err: error }, 'not cleaned up yet');
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
