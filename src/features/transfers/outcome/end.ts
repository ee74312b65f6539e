import type pg from 'pg';
import { referenceOf } from '../../../lib/errors.ts';
import type { Alarm, Services } from '../../common/services.ts';
import { endHold, setHold } from '../holds/repository.ts';
import type { Doubt, Kind, TransferServices } from '../kind.ts';
import { transfersIn } from '../repository.ts';
import { type End, type TransferState, transferStates } from '../states.ts';
import {
  type Approval,
  approvedBy,
  auditContentOf,
  type Result,
  type Transfer,
  type TransferProgress,
} from '../transfer.ts';
import { markDuplicates, recordDuplicate } from './duplicates.ts';

export function resultOfDoubt({ doubtMessages }: Kind, doubt: Doubt): Result | undefined {
  const message = doubtMessages[doubt];
  const code = doubt === 'unreadable' ? 'probably-not-sent' : doubt;
  return message === undefined ? undefined : { code, message, names: [] };
}

const isDoubt = (end: End) => end === 'probably-not-sent' || end === 'unknown';

interface EndChanges extends Pick<TransferProgress, 'result' | 'watchedUntil'> {
  approval?: Approval;
  cancelledBy?: string;
}

/**
 * Stores the end of a transfer, adds the audit entry and releases the account's hold, in one transaction. The hold
 * stays if the outcome of a send is unknown, or if something other than what was confirmed was sent. Does nothing and
 * resolves with false if the transfer is no longer in one of these `states`. `inSameTransaction` runs before the commit.
 */
export async function endTransfer(
  services: Pick<TransferServices, 'store' | 'log' | 'kinds'>,
  { id }: Pick<Transfer, 'id'>,
  end: End,
  { approval, cancelledBy, ...changes }: EndChanges = {},
  states: readonly TransferState[] = transferStates,
  inSameTransaction: (client: pg.PoolClient) => Promise<void> = async () => {},
): Promise<boolean> {
  const ended = await transfersIn(services.store).change(id, async (current, client) => {
    if (!states.includes(current.state)) return undefined;
    const kind = services.kinds[current.kind];
    if (end === 'unknown' && kind.isInHistory) await setHold(client, current, 'unknown');
    else if (current.progress.difference !== undefined) await setHold(client, current, 'difference');
    else await endHold(client, current.account, id);
    const result = changes.result ?? (isDoubt(end) ? resultOfDoubt(kind, end) : current.progress.result);
    const progress = { ...current.progress, ...changes, result };
    await auditOutcome(services, client, { ...current, progress }, end);
    await inSameTransaction(client);
    return { step: end, progress, approval, cancelledBy };
  });
  if (ended !== undefined) logOutcome(services, ended, end, 'transfer ended');
  return ended !== undefined;
}

type Outcome = End | 'not-sent';

const outcomeOf = (outcome: Outcome, { difference }: TransferProgress) =>
  outcome === 'sent' && difference !== undefined ? 'difference' : outcome;

export async function auditOutcome(
  { store, kinds }: Pick<TransferServices, 'store' | 'kinds'>,
  client: pg.ClientBase,
  transfer: Transfer,
  end: Outcome,
): Promise<void> {
  const { id, workspace, account, person, kind, progress, createdAt, approval } = transfer;
  const { result, difference, scan } = progress;
  const content = { ...auditContentOf(transfer, progress), ...approvedBy(approval) };
  const audited = { confirmed: createdAt.toISOString(), ...content, result, difference, scan };
  const outcome = outcomeOf(end, progress);
  const { auditedAs: action } = kinds[kind];
  const entry = { workspace, account, person, action, outcome, reference: id, details: audited };
  await store.audit.record(entry, client);
}

/** Outcomes that are expected or that a person chose. They are logged as info, others as warnings. */
const quietOutcomes: readonly string[] = ['sent', 'cancelled', 'declined', 'expired'];

/** Doesn't log the names of files and recipients, which the audit entry has. */
export function logOutcome(
  { log }: Pick<Services, 'log'>,
  { id, workspace, person, kind, progress }: Transfer,
  end: Outcome,
  message: string,
): void {
  const outcome = outcomeOf(end, progress);
  const reason = progress.result?.code;
  const context = { workspace, person, operation: kind, reference: referenceOf(id), transfer: id };
  const fields = { ...context, outcome, reason };
  if (quietOutcomes.includes(outcome)) log.info(fields, message);
  else log.warn(fields, message);
}

/** Notifies people of a transfer's end, once. If this fails, the job that called it retries. */
export async function notifyEnd(services: TransferServices, id: string): Promise<void> {
  const { notifier, store } = services;
  const transfer = await transfersIn(store).read(id);
  if (transfer?.endedAt === undefined || transfer.notifiedAt !== undefined) return;
  const { workspace } = transfer;
  const duplicate = await recordDuplicate(services, transfer);
  // The sender first: they must be notified even if no admin can be reached yet.
  await notifier.transferEnded({ workspace, id });
  if (duplicate !== undefined) await notifier.transferEnded({ workspace, id: duplicate });
  for (const alarm of alarmsOf(services, transfer, duplicate !== undefined)) await notifier.alarm(transfer, alarm);
  if (duplicate !== undefined) await markDuplicates(services, id, duplicate, true);
  await transfersIn(store).markNotified(id);
}

function alarmsOf({ kinds }: TransferServices, transfer: Transfer, isDuplicate: boolean): Alarm[] {
  const { id, person, state, kind, recipients, progress, plannedFor } = transfer;
  const { difference, found, result } = progress;
  const { texts, isInHistory } = kinds[kind];
  const shared = { transfer: id, person, noun: texts.noun, emails: recipients.map(({ email }) => email) };
  const isHeld = state === 'unknown' && isInHistory;
  const wasHeld = found?.after === 'unknown' && isInHistory;
  return [
    ...(difference === undefined
      ? []
      : [{ kind: 'difference' as const, transfer: id, person, ...messageFields(difference) }]),
    ...(isHeld ? [{ kind: 'outcome-unknown' as const, transfer: id, person }] : []),
    ...(found === undefined || isDuplicate ? [] : [{ kind: 'found' as const, after: found.after, wasHeld, ...shared }]),
    ...(isDuplicate ? [{ kind: 'duplicate' as const, ...shared }] : []),
    ...(state === 'failed' && plannedFor !== undefined && result?.code === 'not-allowed'
      ? [{ kind: 'sender-gone' as const, person, noun: texts.noun, emails: shared.emails }]
      : []),
    ...(state === 'failed' && result?.code === 'infected'
      ? [{ kind: 'malware' as const, direction: 'sent' as const, person, message: result.message }]
      : []),
  ];
}

const messageFields = ({ message, names }: Result) => ({ message, names });
