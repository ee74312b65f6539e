import type pg from 'pg';
import { inTransaction } from '../../../store/index.ts';
import type { Actor, Services } from '../../common/services.ts';
import type { TransferServices } from '../kind.ts';
import { transfersIn } from '../repository.ts';
import { auditContentOf, filesOf, type Transfer, type TransferContent, type TransferProgress } from '../transfer.ts';

/** An earlier transfer that might have been sent: sending again now could create a duplicate. */
export interface EarlierAttempt {
  id: string;
  at: Date;
  /** `sent`: the history has shown it since the sender was warned. */
  state: 'failed' | 'unknown' | 'sent';
  /** Time of the last check of the history, in milliseconds since 1970. Undefined if there are no more checks. */
  watchedUntil: number | undefined;
}

/**
 * Finds the person's transfers in doubt that share a recipient with this one, and a file if this one has files, as long
 * as the history is checked for them. Includes the transfer that this one repeats, if it is in doubt, at any age.
 */
export async function earlierAttempts(
  { store }: Pick<Services, 'store'>,
  { workspace, account, person }: Actor,
  content: TransferContent,
  repeated?: Transfer,
): Promise<EarlierAttempt[]> {
  const { kind } = content;
  const emails = new Set(content.recipients.map(({ email }) => email.toLowerCase()));
  const names = new Set(filesOf(content).map(({ name }) => name));
  const stillChecked: EarlierAttempt[] = [];
  const inDoubt = transfersIn(store).recent({ workspace, account, person, kind }, ['failed', 'unknown']);
  for await (const other of inDoubt) {
    const { id, createdAt, state, progress } = other;
    const { watchedUntil = 0 } = progress;
    const hasRecipient = other.recipients.some(({ email }) => emails.has(email.toLowerCase()));
    const hasFile = names.size === 0 || filesOf(other).some(({ name }) => names.has(name));
    if (watchedUntil <= Date.now() || !hasRecipient || !hasFile) continue;
    stillChecked.push({ id, at: createdAt, state: state === 'unknown' ? 'unknown' : 'failed', watchedUntil });
  }
  return [...attemptInDoubt(repeated), ...stillChecked.filter(({ id }) => id !== repeated?.id)];
}

function attemptInDoubt(repeated: Transfer | undefined): EarlierAttempt[] {
  if (repeated === undefined) return [];
  const { id, createdAt, state, progress } = repeated;
  const watchedUntil = lastCheckOf(progress);
  if (state === 'unknown') return [{ id, at: createdAt, state, watchedUntil }];
  const isStillChecked = watchedUntil !== undefined;
  const isInDoubt = state === 'failed' && (isStillChecked || progress.result?.code === 'probably-not-sent');
  return isInDoubt ? [{ id, at: createdAt, state, watchedUntil }] : [];
}

/** Time of the last check of the history; undefined if it has passed. */
function lastCheckOf({ watchedUntil = 0 }: TransferProgress): number | undefined {
  return watchedUntil > Date.now() ? watchedUntil : undefined;
}

/** For an approver's review: the attempts that the sender's review warned of, in their current state. */
export async function warnedAttempts(
  { store }: Pick<Services, 'store'>,
  { earlier = [] }: Pick<Transfer, 'earlier'>,
): Promise<EarlierAttempt[]> {
  const attempts = await Promise.all(earlier.map((id) => transfersIn(store).read(id)));
  return attempts.flatMap((attempt): EarlierAttempt[] => {
    if (attempt === undefined) return [];
    const { id, createdAt: at, state, progress } = attempt;
    if (state !== 'failed' && state !== 'unknown' && state !== 'sent') return [];
    return [{ id, at, state, watchedUntil: lastCheckOf(progress) }];
  });
}

/**
 * Detects and audits a duplicate: a transfer ended in doubt, was sent again, and then appeared in the history. Marks
 * both transfers, and resolves with the other one's id until people have been notified. Call it when a transfer ends:
 * the call for the second of the two finds that the first was sent.
 */
export async function recordDuplicate(
  services: Pick<TransferServices, 'store' | 'kinds'>,
  transfer: Transfer,
): Promise<string | undefined> {
  const { store, kinds } = services;
  const { id, state, progress, workspace, account, person, kind } = transfer;
  if (state !== 'sent' || progress.duplicate?.isNotified) return undefined;
  const other = await duplicateOf(services, transfer);
  if (other === undefined || other.progress.duplicate?.isNotified) return undefined;
  const isKnown = (progress.duplicate ?? other.progress.duplicate) !== undefined;
  const content = { ...auditContentOf(transfer, transfer.progress), transfer: other.id };
  const { auditedAs: action } = kinds[kind];
  const entry = { workspace, account, person, action, outcome: 'duplicate', reference: id, details: content };
  await inTransaction(store.pool, async (client) => {
    if (!isKnown) await store.audit.record(entry, client);
    await markDuplicates(services, id, other.id, false, client);
  });
  return other.id;
}

export async function markDuplicates(
  { store }: Pick<Services, 'store'>,
  id: string,
  otherId: string,
  isNotified: boolean,
  within?: pg.PoolClient,
): Promise<void> {
  const pairs: [string, string][] = [
    [id, otherId],
    [otherId, id],
  ];
  // Locks the rows in the same order every time, so that two transactions can't deadlock.
  for (const [one, of] of pairs.sort())
    await transfersIn(store).updateProgress(one, { duplicate: { of, isNotified } }, within);
}

async function duplicateOf({ store }: Pick<Services, 'store'>, transfer: Transfer): Promise<Transfer | undefined> {
  const { id, earlier, progress } = transfer;
  if (progress.found === undefined && earlier === undefined) return undefined;
  let found: Transfer | undefined;
  for await (const other of transfersIn(store).recent(transfer, ['sent'])) {
    if (progress.found && other.earlier?.includes(id)) return other;
    if (other.progress.found !== undefined && earlier?.includes(other.id)) found ??= other;
  }
  return found;
}
