import { accountQueue, handlerOf, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import { connectionOf } from '../../common/connection.ts';
import type { Services } from '../../common/services.ts';
import { type LateEntry, readLateEntry } from '../history/entries.ts';
import { endHold, setHold } from '../holds/repository.ts';
import type { TransferServices } from '../kind.ts';
import { transfersIn } from '../repository.ts';
import type { Transfer, TransferProgress } from '../transfer.ts';
import { auditOutcome, endTransfer, logOutcome, notifyEnd, resultOfDoubt } from './end.ts';

const lateCheckKind = jobKind('late-check', ['transfer', 'turn'], { attempts: 1, slots: 'long' });

/**
 * Schedules a check of the history after a transfer's end, because the history can lag. If the card says "sent", the
 * history can still show something other than what was confirmed. If it says "probably not sent" or "unknown", the
 * history can still show that the transfer was sent. The sender must learn of both.
 */
export async function scheduleLateCheck(
  { queue, timing }: Services,
  { id, account }: Pick<Transfer, 'id' | 'account'>,
  checkIndex = 0,
): Promise<void> {
  const pause = timing.lateCheckPausesMs[checkIndex];
  if (pause === undefined) return;
  // One queue per account, so that a slow service takes one slot for all its transfers.
  const queueOptions = { queue: accountQueue('late-check', account), key: `late-check ${id}` };
  await queue.add(
    lateCheckKind,
    { transfer: id, turn: String(checkIndex) },
    { ...queueOptions, runAt: new Date(Date.now() + pause) },
  );
}

/** Ends a transfer in doubt. Schedules later checks, unless the workspace was disconnected or has another account. */
export async function endInDoubt(
  services: TransferServices,
  transfer: Transfer,
  end: 'probably-not-sent' | 'unknown',
): Promise<void> {
  const { timing } = services;
  if (timing.lateCheckPausesMs.length === 0 || !(await canCheckLater(services, transfer))) {
    await endTransfer(services, transfer, end);
    return;
  }
  const watchedUntil = Date.now() + timing.lateCheckPausesMs.reduce((sum, pause) => sum + pause, 0);
  await scheduleLateCheck(services, transfer);
  await endTransfer(services, transfer, end, { watchedUntil });
}

async function canCheckLater({ store }: Services, transfer: Transfer): Promise<boolean> {
  const credentials = await store.credentials.get(transfer);
  return credentials !== undefined && credentials.leavingSince === undefined;
}

/** Checks the history for a transfer that had ended before its entry appeared. Never sends it again. */
export function lateCheckJob(services: TransferServices): JobHandler {
  const repository = transfersIn(services.store);
  const isLast = (checkIndex: string) => Number(checkIndex) + 1 >= services.timing.lateCheckPausesMs.length;
  return handlerOf<{ transfer: string; turn: string }>({
    kind: lateCheckKind,
    async run({ transfer: id, turn: checkIndex }) {
      const transfer = await repository.read(id);
      if (transfer === undefined) return; // deleted with its workspace, or past its retention
      if (transfer.endedAt === undefined) return scheduleLateCheck(services, transfer, Number(checkIndex));
      if (isStillChecked(transfer)) {
        const result = await checkOnce(services, transfer);
        if (typeof result === 'object') await revise(services, transfer, result);
        else if (isLast(checkIndex)) await endChecks(services, transfer, result);
        else return scheduleLateCheck(services, transfer, Number(checkIndex) + 1);
      }
      await notifyEnd(services, id);
    },
    async giveUp({ transfer: id, turn: checkIndex }, error) {
      const transfer = await repository.read(id);
      if (transfer === undefined || isDroplineError(error, 'not-connected')) return;
      if (isStillChecked(transfer) && !isLast(checkIndex))
        return scheduleLateCheck(services, transfer, Number(checkIndex) + 1);
      if (isStillChecked(transfer)) await endChecks(services, transfer, 'unreadable');
      // Retry the notification with the first delay, which is the shortest.
      if ((await repository.read(id))?.notifiedAt === undefined) await scheduleLateCheck(services, transfer);
    },
  });
}

const isStillChecked = ({ isSeen, state, progress }: Transfer): boolean =>
  !isSeen && (state === 'sent' || progress.watchedUntil !== undefined);

async function checkOnce(services: TransferServices, transfer: Transfer): ReturnType<typeof readLateEntry> {
  const { exchange } = await connectionOf(services, transfer);
  return readLateEntry(services, exchange, transfer);
}

async function revise(
  services: TransferServices,
  { id }: Transfer,
  { isFound, hash, difference }: LateEntry,
): Promise<void> {
  const outcome = isFound ? 'sent' : 'unknown';
  const revised = await transfersIn(services.store).revise(id, async (transfer, client) => {
    if (!isStillChecked(transfer)) return undefined;
    const isInDoubt = transfer.state !== 'sent';
    if (difference !== undefined) await setHold(client, transfer, 'difference');
    else if (isInDoubt && transfer.progress.difference === undefined) await endHold(client, transfer.account, id);
    const progress = {
      ...(isInDoubt && resolvedProgress(services, transfer, isFound)),
      ...(difference && { difference }),
    };
    if (isInDoubt || difference !== undefined) {
      const audited = { ...transfer, progress: { ...transfer.progress, ...progress } };
      await auditOutcome(services, client, audited, outcome);
    }
    return { step: isFound ? 'find' : 'doubt', entryHash: hash, progress };
  });
  if (revised !== undefined) logOutcome(services, revised, outcome, 'history entry found after the transfer ended');
}

function resolvedProgress({ kinds }: TransferServices, { kind, state }: Transfer, isFound: boolean): TransferProgress {
  if (!isFound) return { watchedUntil: undefined, result: resultOfDoubt(kinds[kind], 'unknown') };
  const found = { at: Date.now(), after: state === 'unknown' ? ('unknown' as const) : ('failed' as const) };
  return { watchedUntil: undefined, result: undefined, found };
}

/**
 * Ends the checks. A transfer that was probably not sent now counts as not sent, if the history could be read. An
 * unknown outcome stays unknown.
 */
async function endChecks(
  services: TransferServices,
  { id, state }: Transfer,
  result: 'unreadable' | undefined,
): Promise<void> {
  if (state !== 'failed') return;
  await transfersIn(services.store).revise(id, async (transfer, client) => {
    if (!isStillChecked(transfer)) return undefined;
    const kind = services.kinds[transfer.kind];
    const progress = { watchedUntil: undefined, result: resultOfDoubt(kind, result ?? 'not-sent') };
    const audited = { ...transfer, progress: { ...transfer.progress, ...progress } };
    if (result === undefined) await auditOutcome(services, client, audited, 'not-sent');
    return { progress };
  });
}
