import type { Exchange } from '../../../exchange/index.ts';
import type { Services } from '../../common/services.ts';
import { type Result, type Snapshot, type TransferWithDetails, transfersIn } from '../repository.ts';
import {
  type Attempt,
  comparedOf,
  differenceOf,
  type Excerpt,
  type Expected,
  expectedOf,
  isExactMatch,
  isPartialMatch,
  type NewEntries,
  newEntriesOf,
  ownEntry,
  type RelatedEntry,
  relatedTo,
  snapshotOf,
  withConfirmedEntry,
} from './compare.ts';
import { entryHashesIn } from './repository.ts';

/** Summarises the related history entries before a transfer is sent, so that new entries can be recognised later. */
export async function takeSnapshot(
  { store }: Pick<Services, 'store'>,
  exchange: Exchange,
  transfer: TransferWithDetails,
): Promise<Snapshot> {
  const expected = expectedOf(transfer);
  const excerpt = await relatedEntries(store, exchange, transfer);
  const unseen = await otherUnseen(store, transfer);
  // Failed transfers count as not sent. Otherwise a retry's entry would be attributed to the failed transfer.
  const identical = unseen.filter(
    (other) => other.state !== 'failed' && isExactMatch(comparedOf(other.expected), expected),
  );
  return snapshotOf(excerpt, expected, identical.length);
}

export async function readNewEntries(
  { store }: Pick<Services, 'store'>,
  exchange: Exchange,
  transfer: TransferWithDetails,
): Promise<NewEntries> {
  const { snapshot = { identical: 0, hidden: 0, total: 0 } } = transfer.details;
  const excerpt = await relatedEntries(store, exchange, transfer);
  // A late entry of an earlier transfer isn't a difference.
  const earlier = (await otherUnseen(store, transfer)).map((other) => other.expected);
  const others = await entriesOfOthers(store, transfer, excerpt.entries);
  const matchesEarlierTransfer = (entry: RelatedEntry) => earlier.some((expected) => isExactMatch(entry, expected));
  return newEntriesOf(excerpt, expectedOf(transfer), snapshot, (entry) => others.has(entry), matchesEarlierTransfer);
}

/** The keyed hash that identifies the transfer's entry in every read of the history. */
export function entryHashOf(newEntries: NewEntries | undefined): string | undefined {
  return (newEntries?.matching[0] ?? newEntries?.differing[0])?.hash;
}

/** The entries that belong to other transfers. Of several identical entries, includes one for each such transfer. */
export async function entriesOfOthers(
  store: Services['store'],
  transfer: TransferWithDetails,
  entries: readonly RelatedEntry[],
): Promise<Set<RelatedEntry>> {
  const owners = await entryHashesIn(store).countOthers(
    transfer,
    entries.map(({ hash }) => hash),
  );
  return new Set(
    entries.filter(({ hash }) => {
      const remaining = owners.get(hash) ?? 0;
      owners.set(hash, remaining - 1);
      return remaining > 0;
    }),
  );
}

function relatedEntries(store: Services['store'], exchange: Exchange, transfer: TransferWithDetails): Promise<Excerpt> {
  return exchange.readHistory({ pick: relatedTo(expectedOf(transfer), store.hmacOf) });
}

/** What is compared of another transfer. Its details can be large, and all unseen transfers are in memory. */
interface UnseenTransfer {
  state: TransferWithDetails['state'];
  expected: Expected;
  attempt: Attempt;
  isPossible: boolean;
}

/** The account's other transfers that were committed in the last day and that the history hasn't shown. */
async function otherUnseen(store: Services['store'], { id, account }: TransferWithDetails): Promise<UnseenTransfer[]> {
  const unseen: UnseenTransfer[] = [];
  for await (const other of transfersIn(store).listUnseen(account)) {
    if (other.id === id) continue;
    const { recipients, ...expected } = expectedOf(other);
    const compared = recipients.map(({ email, number }) => ({ email, number }));
    unseen.push({
      state: other.state,
      expected: { ...expected, recipients: compared },
      attempt: attemptOf(other),
      isPossible: isPossible(other),
    });
  }
  return unseen;
}

/** What the history shows about a transfer that has already ended. */
export interface LateEntry {
  state: 'sent' | 'unknown';
  /** Identifies the transfer's entry; undefined if the history shows a different entry instead. */
  hash: string | undefined;
  difference: Result | undefined;
}

/**
 * Looks for the entry of a transfer that has ended. Undefined if there is none, `unreadable` if that can't be
 * determined.
 */
export async function readLateEntry(
  services: Services,
  exchange: Exchange,
  transfer: TransferWithDetails,
): Promise<LateEntry | 'unreadable' | undefined> {
  const isInDoubt = transfer.state !== 'sent';
  // The digests of earlier entries are needed to distinguish old entries from new ones.
  if (isInDoubt && transfer.details.snapshot?.related === undefined) return 'unreadable';
  const allNewEntries = await readNewEntries(services, exchange, transfer);
  const newEntries = isInDoubt
    ? await ownEntriesOnly(services, transfer, allNewEntries)
    : await entriesAfterConfirmation(services, transfer, allNewEntries);
  const hash = entryHashOf(newEntries);
  if (hash === undefined) return undefined;
  const difference = differenceOf(newEntries);
  const isOwn =
    newEntries.matching.length > 0 || newEntries.differing.some((entry) => isPartialMatch(entry, expectedOf(transfer)));
  return isInDoubt && !isOwn ? { state: 'unknown', hash: undefined, difference } : { state: 'sent', hash, difference };
}

async function entriesAfterConfirmation(
  { store }: Services,
  transfer: TransferWithDetails,
  allNewEntries: NewEntries,
): Promise<NewEntries> {
  const expected = expectedOf(transfer);
  if (transfer.details.snapshot?.related !== undefined) return withConfirmedEntry(allNewEntries, expected);
  // Without digests, `allNewEntries` can include old entries. Drop those that belong to other transfers.
  const others = await entriesOfOthers(store, transfer, allNewEntries.matching);
  return withConfirmedEntry(
    { ...allNewEntries, matching: allNewEntries.matching.filter((entry) => !others.has(entry)) },
    expected,
  );
}

/** For a transfer that the service never confirmed: drops the entries that another attempt (a resend) can explain. */
async function ownEntriesOnly(
  { store }: Services,
  transfer: TransferWithDetails,
  allNewEntries: NewEntries,
): Promise<NewEntries> {
  const expected = expectedOf(transfer);
  // Read after the history, so that every transfer in the history is already recorded as committing.
  const attempts = (await otherUnseen(store, transfer)).filter((other) => other.isPossible);
  const ownAmong = (entries: readonly RelatedEntry[], matches: typeof isExactMatch) => {
    const competing = attempts.filter((other) => matches(comparedOf(other.expected), expected));
    const competingAttempts = competing.map(({ attempt }) => attempt);
    return ownEntry(entries, attemptOf(transfer), competingAttempts);
  };
  const match = ownAmong(allNewEntries.matching, isExactMatch);
  if (match !== undefined) return { ...allNewEntries, matching: [match], differing: [] };
  const partial = allNewEntries.differing.filter((entry) => isPartialMatch(entry, expected));
  const partialMatch = ownAmong(partial, isPartialMatch);
  if (partialMatch !== undefined) return { ...allNewEntries, matching: [], differing: [partialMatch] };
  const isOfOtherAttempt = (entry: RelatedEntry) => attempts.some((other) => isPartialMatch(entry, other.expected));
  // Other people can send requests to the same contacts, but no other transfer should have our files.
  const isUnexpected = (entry: RelatedEntry) =>
    transfer.kind === 'send' && !partial.includes(entry) && !isOfOtherAttempt(entry);
  const hasRaisedAlarm = transfer.details.difference !== undefined;
  return {
    ...allNewEntries,
    matching: [],
    differing: hasRaisedAlarm ? [] : allNewEntries.differing.filter(isUnexpected),
  };
}

/**
 * Whether a new entry can belong to this attempt: it hasn't failed, or it failed in doubt and is still being checked.
 */
const isPossible = ({ state, details }: TransferWithDetails) =>
  state !== 'failed' || details.watchedUntil !== undefined;

const attemptOf = ({ state, committedAt, createdAt }: TransferWithDetails): Attempt => ({
  madeAt: (committedAt ?? createdAt).getTime(),
  hasPriority: state === 'sent' || state === 'committing',
});
