import type { Exchange } from '../../exchange/index.ts';
import type { Services } from '../common/services.ts';
import {
  type Attempt,
  comparedOf,
  differenceOf,
  expectedOf,
  isExactMatch,
  isPartialMatch,
  type NewEntries,
  ownEntry,
  type RelatedEntry,
  withConfirmedEntry,
} from './compare.ts';
import { entriesOfOthers, markOf, otherUnseen, readNewEntries } from './history-entries.ts';
import type { OpenTransfer, Result } from './repository.ts';

/** What the history shows about a transfer that has already ended. */
export interface LateEntry {
  state: 'sent' | 'unknown';
  /** Identifies the transfer's entry; undefined if the history shows a different entry instead. */
  mark: string | undefined;
  difference: Result | undefined;
}

/** Undefined if the history doesn't show the transfer, `unreadable` if that can't be determined. */
export async function readLateEntry(
  services: Services,
  exchange: Exchange,
  transfer: OpenTransfer,
): Promise<LateEntry | 'unreadable' | undefined> {
  const isInDoubt = transfer.state !== 'sent';
  // The digests of earlier entries are needed to distinguish old entries from new ones.
  if (isInDoubt && transfer.details.snapshot?.akin === undefined) return 'unreadable';
  const fresh = await readNewEntries(services, exchange, transfer);
  const newEntries = isInDoubt
    ? await ownEntriesOnly(services, transfer, fresh)
    : await entriesAfterConfirmation(services, transfer, fresh);
  const mark = markOf(newEntries);
  if (mark === undefined) return undefined;
  const difference = differenceOf(newEntries);
  const isOwn =
    newEntries.matching.length > 0 || newEntries.differing.some((entry) => isPartialMatch(entry, expectedOf(transfer)));
  return isInDoubt && !isOwn ? { state: 'unknown', mark: undefined, difference } : { state: 'sent', mark, difference };
}

async function entriesAfterConfirmation(
  { store }: Services,
  transfer: OpenTransfer,
  fresh: NewEntries,
): Promise<NewEntries> {
  const expected = expectedOf(transfer);
  if (transfer.details.snapshot?.akin !== undefined) return withConfirmedEntry(fresh, expected);
  // Without digests, `fresh` can include old entries. Drop those known to belong to other transfers.
  const others = await entriesOfOthers(store, transfer, fresh.matching);
  return withConfirmedEntry({ ...fresh, matching: fresh.matching.filter((entry) => !others.has(entry)) }, expected);
}

/** For a transfer that the service never confirmed: drops the entries that another attempt (a resend) can explain. */
async function ownEntriesOnly({ store }: Services, transfer: OpenTransfer, fresh: NewEntries): Promise<NewEntries> {
  const expected = expectedOf(transfer);
  // Read after the history, so that every transfer in the history is already recorded as committing.
  const attempts = (await otherUnseen(store, transfer)).filter(isPossible);
  const ownAmong = (entries: readonly RelatedEntry[], matches: typeof isExactMatch) => {
    const competing = attempts.filter((other) => matches(comparedOf(expectedOf(other)), expected));
    return ownEntry(entries, attemptOf(transfer), competing.map(attemptOf));
  };
  const match = ownAmong(fresh.matching, isExactMatch);
  if (match !== undefined) return { ...fresh, matching: [match], differing: [] };
  const partial = fresh.differing.filter((entry) => isPartialMatch(entry, expected));
  const own = ownAmong(partial, isPartialMatch);
  if (own !== undefined) return { ...fresh, matching: [], differing: [own] };
  const isOfOtherAttempt = (entry: RelatedEntry) => attempts.some((other) => isPartialMatch(entry, expectedOf(other)));
  // Other people can send requests to the same contacts, but no other transfer should have our files.
  const isUnexpected = (entry: RelatedEntry) =>
    transfer.kind === 'dispatch' && !partial.includes(entry) && !isOfOtherAttempt(entry);
  const hasRaisedAlarm = transfer.details.difference !== undefined;
  return { ...fresh, matching: [], differing: hasRaisedAlarm ? [] : fresh.differing.filter(isUnexpected) };
}

/** Whether a new history entry can belong to this attempt: it hasn't failed, or it failed in doubt and is watched. */
const isPossible = ({ state, details }: OpenTransfer) => state !== 'failed' || details.watchedUntil !== undefined;

const attemptOf = ({ state, committedAt, createdAt }: OpenTransfer): Attempt => ({
  madeAt: (committedAt ?? createdAt).getTime(),
  isCertain: state === 'sent' || state === 'committing',
});
