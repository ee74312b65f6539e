import type pg from 'pg';
import { referenceOf } from '../../errors.ts';
import type { Store } from '../../store/index.ts';
import type { Alarm, Services } from '../common/services.ts';
import { markDuplicates, recordDuplicate } from './duplicates.ts';
import { endHold, setHold } from './holds/repository.ts';
import {
  auditContentOf,
  type Result,
  type Transfer,
  type TransferDetails,
  type TransferKind,
  type TransferState,
  type TransferWithDetails,
  transferStates,
  transfersIn,
} from './repository.ts';

/** `declined` and `expired`: not approved. */
export type End = 'sent' | 'failed' | 'cancelled' | 'declined' | 'expired' | 'probably-not-sent' | 'unknown';

const stateAfter: Record<End, TransferState> = {
  sent: 'sent',
  failed: 'failed',
  cancelled: 'cancelled',
  declined: 'failed',
  expired: 'failed',
  'probably-not-sent': 'failed',
  unknown: 'unknown',
};

/** `not-sent` and `unreadable` are results of later checks of a transfer that was probably not sent. */
type Doubt = 'probably-not-sent' | 'not-sent' | 'unreadable' | 'unknown';

const doubtMessages: Record<TransferKind, Partial<Record<Doubt, string>>> = {
  send: {
    'probably-not-sent': "The service didn't confirm it, and its history doesn't show this transfer.",
    'not-sent':
      "The service didn't confirm it, and its history still doesn't show this transfer. You can send it again.",
    unreadable:
      "The service didn't confirm it, and I couldn't check its history again. Ask a recipient before you send it again.",
    unknown:
      "The service didn't confirm it, and its history doesn't show whether it was sent. Ask a recipient before you send it again.",
  },
  request: {
    unknown:
      "The service didn't confirm it, and its history doesn't show whether the request was sent. Ask a recipient before you send it again.",
  },
};

export function resultOfDoubt(kind: TransferKind, doubt: Doubt): Result | undefined {
  const message = doubtMessages[kind][doubt];
  const code = doubt === 'unreadable' ? 'probably-not-sent' : doubt;
  return message === undefined ? undefined : { code, message, names: [] };
}

const isDoubt = (end: End) => end === 'probably-not-sent' || end === 'unknown';

type EndChanges = Partial<Pick<TransferDetails, 'result' | 'watchedUntil' | 'approval'>> & { cancelledBy?: string };

/**
 * Stores the end of a transfer, adds the audit entry and releases the account's hold, in one transaction. The hold
 * stays if the outcome of a send is unknown, or if something other than what was confirmed was sent. Does nothing and
 * resolves with false if the transfer is no longer in one of these `states`. `inSameTransaction` runs before the commit.
 */
export async function endTransfer(
  services: Pick<Services, 'store' | 'log'>,
  transfer: Transfer,
  end: End,
  { cancelledBy, ...changes }: EndChanges = {},
  states: readonly TransferState[] = transferStates,
  inSameTransaction: (client: pg.PoolClient) => Promise<void> = async () => {},
): Promise<boolean> {
  const { store } = services;
  const ended = await transfersIn(store).change(transfer.id, async (current, client) => {
    const { id, account, kind } = current;
    if (!states.includes(current.state)) return undefined;
    if (end === 'unknown' && kind === 'send') await setHold(client, current, 'unknown');
    else if (current.details.difference !== undefined) await setHold(client, current, 'difference');
    else await endHold(client, account, id);
    const result = changes.result ?? (isDoubt(end) ? resultOfDoubt(kind, end) : current.details.result);
    const details = { ...current.details, ...changes, result };
    await auditOutcome(store, client, { ...current, details }, end);
    await inSameTransaction(client);
    return { state: stateAfter[end], ended: true, details, ...(cancelledBy === undefined ? {} : { cancelledBy }) };
  });
  if (ended !== undefined) logOutcome(services, ended, end, 'transfer ended');
  return ended !== undefined;
}

type Outcome = End | 'not-sent';

const outcomeOf = (outcome: Outcome, { difference }: TransferDetails) =>
  outcome === 'sent' && difference !== undefined ? 'difference' : outcome;

export async function auditOutcome(
  store: Store,
  client: pg.ClientBase,
  { id, workspace, person, kind, details, createdAt }: TransferWithDetails,
  end: Outcome,
): Promise<void> {
  const audited = {
    confirmed: createdAt.toISOString(),
    ...auditContentOf(details),
    result: details.result,
    difference: details.difference,
    scan: details.scan,
  };
  const outcome = outcomeOf(end, details);
  await store.audit.record({ workspace, person, action: kind, outcome, reference: id, details: audited }, client);
}

/** Outcomes that are expected or that a person chose. They are logged as info, others as warnings. */
const quietOutcomes: readonly string[] = ['sent', 'cancelled', 'declined', 'expired'];

/** Doesn't log the names of files and recipients, which the audit entry has. */
export function logOutcome(
  { log }: Pick<Services, 'log'>,
  { id, workspace, person, kind, details }: TransferWithDetails,
  end: Outcome,
  message: string,
): void {
  const outcome = outcomeOf(end, details);
  const reason = details.result?.code;
  const context = { workspace, person, operation: kind, reference: referenceOf(id), transfer: id };
  const fields = { ...context, outcome, ...(reason !== undefined && { reason }) };
  if (quietOutcomes.includes(outcome)) log.info(fields, message);
  else log.warn(fields, message);
}

/** Notifies people of a transfer's end, once. If this fails, the job that called it retries. */
export async function notifyEnd(services: Services, id: string): Promise<void> {
  const { notifier, store } = services;
  const transfer = await transfersIn(store).read(id);
  if (transfer?.endedAt === undefined || transfer.notifiedAt !== undefined) return;
  const { workspace } = transfer;
  const duplicate = await recordDuplicate(services, transfer);
  // The sender first: they must be notified even if no admin can be reached yet.
  await notifier.transferEnded({ workspace, id });
  if (duplicate !== undefined) await notifier.transferEnded({ workspace, id: duplicate });
  for (const alarm of alarmsOf(transfer, duplicate !== undefined)) await notifier.alarm(workspace, alarm);
  if (duplicate !== undefined) await markDuplicates(services, id, duplicate, true);
  await transfersIn(store).markNotified(id);
}

function alarmsOf({ id, person, state, kind, details }: Transfer, isDuplicate: boolean): Alarm[] {
  const { difference, found, recipients = [], result } = details ?? {};
  const shared = { transfer: id, person, transferKind: kind, emails: recipients.map(({ email }) => email) };
  return [
    ...(difference === undefined
      ? []
      : [{ kind: 'difference' as const, transfer: id, person, ...messageFields(difference) }]),
    // A request with an unknown outcome needs no alarm: its card shows that, and the account isn't put on hold.
    ...(state === 'unknown' && kind === 'send' ? [{ kind: 'outcome-unknown' as const, transfer: id, person }] : []),
    ...(found === undefined || isDuplicate ? [] : [{ kind: 'found' as const, after: found.after, ...shared }]),
    ...(isDuplicate ? [{ kind: 'duplicate' as const, ...shared }] : []),
    ...(state === 'failed' && result?.code === 'infected'
      ? [{ kind: 'malware' as const, direction: 'sent' as const, person, message: result.message }]
      : []),
  ];
}

const messageFields = ({ message, names }: Result) => ({ message, names });
