import { isDroplineError } from '../../errors.ts';
import { accountQueue, handlerOf, type JobHandler, jobKind } from '../../jobs/index.ts';
import { connectionOf } from '../common/connection/connection.ts';
import type { Services } from '../common/services.ts';
import { auditOutcome, endTransfer, logOutcome, notifyEnd, resultOfDoubt } from './end.ts';
import { endHold, keepHold } from './holds.ts';
import { type LateNews, readLateNews } from './late-news.ts';
import { type OpenTransfer, type Transfer, type TransferDetails, transfersIn } from './repository.ts';

const looking = jobKind('late-look', ['transfer', 'turn'], { attempts: 1, isLong: true });

/**
 * The history can lag. A sender who was told "sent" must learn if it shows something other than what was confirmed. A
 * sender who was told "probably not sent" or "unknown" must learn if it shows that the transfer was sent.
 */
export async function lookLater(
  { queue, timing }: Services,
  { id, account }: Pick<Transfer, 'id' | 'account'>,
  turn = 0,
): Promise<void> {
  const pause = timing.lateLooksMs[turn];
  if (pause === undefined) return;
  // One queue per account, so that a slow service takes one slot for all its transfers.
  const where = { queue: accountQueue('late-look', account), key: `late-look ${id}` };
  await queue.add(looking, { transfer: id, turn: String(turn) }, { ...where, runAt: new Date(Date.now() + pause) });
}

/** Ends a transfer in doubt. Keeps watching the history for it, unless the workspace is leaving or changed accounts. */
export async function endInDoubt(
  services: Services,
  transfer: OpenTransfer,
  end: 'probably-not-sent' | 'unknown',
): Promise<void> {
  const { timing } = services;
  if (timing.lateLooksMs.length === 0 || !(await canLook(services, transfer))) {
    return endTransfer(services, transfer, end);
  }
  const watchedUntil = Date.now() + timing.lateLooksMs.reduce((sum, pause) => sum + pause, 0);
  await lookLater(services, transfer);
  await endTransfer(services, transfer, end, { watchedUntil });
}

async function canLook({ store, connectTo }: Services, { workspace, account }: OpenTransfer): Promise<boolean> {
  const credentials = await store.credentials.get(workspace);
  return (
    credentials?.leavingSince === undefined && credentials !== undefined && connectTo(credentials).account === account
  );
}

/** Checks the history for a transfer that it didn't show before the transfer ended. Sends nothing. */
export function lateLookJob(services: Services): JobHandler {
  const repository = transfersIn(services.store);
  const isLast = (turn: string) => Number(turn) + 1 >= services.timing.lateLooksMs.length;
  return handlerOf<{ transfer: string; turn: string }>({
    kind: looking,
    async run({ transfer: id, turn }) {
      const transfer = await repository.read(id);
      if (transfer?.details === undefined) return; // deleted with its workspace, or past its retention
      if (transfer.endedAt === undefined) return lookLater(services, transfer, Number(turn));
      if (isOpenToNews(transfer)) {
        const news = await lookOnce(services, transfer);
        if (typeof news === 'object') await revise(services, transfer, news);
        else if (isLast(turn)) await endWatch(services, transfer, news);
        else return lookLater(services, transfer, Number(turn) + 1);
      }
      await notifyEnd(services, id);
    },
    async giveUp({ transfer: id, turn }, error) {
      const transfer = await repository.read(id);
      if (transfer?.details === undefined || isDroplineError(error, 'not-connected')) return;
      if (isOpenToNews(transfer) && !isLast(turn)) return lookLater(services, transfer, Number(turn) + 1);
      if (isOpenToNews(transfer)) await endWatch(services, transfer, 'unreadable');
      // Retry the notification from the first turn, which has the shortest delay.
      if ((await repository.read(id))?.notifiedAt === undefined) await lookLater(services, transfer);
    },
  });
}

function isOpenToNews(transfer: Transfer): transfer is OpenTransfer {
  const { isSeen, state, details } = transfer;
  return !isSeen && details !== undefined && (state === 'sent' || details.watchedUntil !== undefined);
}

async function lookOnce(services: Services, transfer: OpenTransfer): ReturnType<typeof readLateNews> {
  const { exchange } = await connectionOf(services, transfer.workspace);
  return exchange.account === transfer.account ? readLateNews(services, exchange, transfer) : 'unreadable';
}

async function revise(services: Services, { id }: OpenTransfer, { state, mark, difference }: LateNews): Promise<void> {
  const revised = await transfersIn(services.store).revise(id, async (transfer, client) => {
    if (!isOpenToNews(transfer)) return undefined;
    const { account, details } = transfer;
    const isInDoubt = transfer.state !== 'sent';
    if (difference !== undefined) await keepHold(client, account, id, 'difference');
    else if (isInDoubt && details.difference === undefined) await endHold(client, account, id);
    const more = { ...(isInDoubt && outOfDoubt(transfer, state)), ...(difference && { difference }) };
    if (isInDoubt || difference !== undefined) {
      await auditOutcome(services.store, client, { ...transfer, details: { ...details, ...more } }, state);
    }
    return { state, entryMark: mark, details: more };
  });
  if (revised !== undefined) logOutcome(services, revised, state, 'history entry found after the transfer ended');
}

function outOfDoubt({ kind, state: before }: OpenTransfer, state: LateNews['state']): Partial<TransferDetails> {
  if (state === 'unknown') return { watchedUntil: undefined, result: resultOfDoubt(kind, 'unknown') };
  const found = { at: Date.now(), after: before === 'unknown' ? ('unknown' as const) : ('failed' as const) };
  return { watchedUntil: undefined, result: undefined, found };
}

/** A transfer that was probably not sent now counts as not sent. An unknown outcome stays unknown. */
async function endWatch(
  services: Services,
  { id, state }: OpenTransfer,
  news: 'unreadable' | undefined,
): Promise<void> {
  if (state !== 'failed') return;
  await transfersIn(services.store).revise(id, async (transfer, client) => {
    if (!isOpenToNews(transfer)) return undefined;
    const more = { watchedUntil: undefined, result: resultOfDoubt(transfer.kind, news ?? 'not-sent') };
    const details = { ...transfer.details, ...more };
    if (news === undefined) await auditOutcome(services.store, client, { ...transfer, details }, 'not-sent');
    return { details: more };
  });
}
