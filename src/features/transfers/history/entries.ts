import type { Exchange } from '../../../exchange/index.ts';
import type { Services } from '../../common/services.ts';
import { transfersIn } from '../repository.ts';
import type { Result, Snapshot, Transfer } from '../transfer.ts';
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
  transfer: Transfer,
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
  transfer: Transfer,
): Promise<NewEntries> {
  const { snapshot = { identical: 0, hidden: 0, total: 0 } } = transfer.progress;
  const excerpt = await relatedEntries(store, exchange, transfer);
  // A late entry of an earlier transfer isn't a difference.
  const earlier = (await otherUnseen(store, transfer)).map((other) => other.expected);
  const owned = await entriesOfOthers(store, transfer, excerpt.entries);
  return newEntriesOf(excerpt, expectedOf(transfer), snapshot, {
    have: (entry) => owned.has(entry),
    explain: (entry) => earlier.some((expected) => isExactMatch(entry, expected)),
  });
}

/** The keyed hash that identifies the transfer's entry in every read of the history. */
export function entryHashOf(newEntries: NewEntries | undefined): string | undefined {
  return (newEntries?.matching[0] ?? newEntries?.differing[0])?.hash;
}

/** The entries that belong to other transfers. Of several identical entries, includes one for each such transfer. */
export async function entriesOfOthers(
  store: Services['store'],
  transfer: Transfer,
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

function relatedEntries(store: Services['store'], exchange: Exchange, transfer: Transfer): Promise<Excerpt> {
  return exchange.readHistory({ pick: relatedTo(expectedOf(transfer), store.hmacOf) });
}

/** What is compared of another transfer. Its details can be large, and all unseen transfers are in memory. */
interface UnseenTransfer {
  state: Transfer['state'];
  expected: Expected;
  attempt: Attempt;
  isPossible: boolean;
}

/** The account's other transfers that were committed in the last day and that the history hasn't shown. */
async function otherUnseen(store: Services['store'], { id, account }: Transfer): Promise<UnseenTransfer[]> {
  const unseen: UnseenTransfer[] = [];
  for await (const other of transfersIn(store).unseen(account)) {
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
  /** False if the history shows a different entry instead. */
  isFound: boolean;
  /** Identifies the transfer's entry. */
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
  transfer: Transfer,
): Promise<LateEntry | 'unreadable' | undefined> {
  const isInDoubt = transfer.state !== 'sent';
  // The digests of earlier entries are needed to distinguish old entries from new ones.
  if (isInDoubt && transfer.progress.snapshot?.related === undefined) return 'unreadable';
  const allNewEntries = await readNewEntries(services, exchange, transfer);
  const newEntries = isInDoubt
    ? await attributeEntries(services, transfer, allNewEntries)
    : await entriesAfterConfirmation(services, transfer, allNewEntries);
  const hash = entryHashOf(newEntries);
  if (hash === undefined) return undefined;
  const difference = differenceOf(newEntries);
  const isOwn =
    newEntries.matching.length > 0 || newEntries.differing.some((entry) => isPartialMatch(entry, expectedOf(transfer)));
  return isInDoubt && !isOwn ? { isFound: false, hash: undefined, difference } : { isFound: true, hash, difference };
}

async function entriesAfterConfirmation(
  { store }: Services,
  transfer: Transfer,
  allNewEntries: NewEntries,
): Promise<NewEntries> {
  const expected = expectedOf(transfer);
  if (transfer.progress.snapshot?.related !== undefined) return withConfirmedEntry(allNewEntries, expected);
  // Without digests, `allNewEntries` can include old entries. Drop those that belong to other transfers.
  const others = await entriesOfOthers(store, transfer, allNewEntries.matching);
  return withConfirmedEntry(
    { ...allNewEntries, matching: allNewEntries.matching.filter((entry) => !others.has(entry)) },
    expected,
  );
}

/**
 * For a transfer that the service never confirmed: the one entry that this transfer made, even if other attempts (a
 * resend) could have made it too. Without one, the entries that no attempt explains, which call for an alarm.
 */
async function attributeEntries(
  { store }: Services,
  transfer: Transfer,
  { matching, differing, growth }: NewEntries,
): Promise<NewEntries> {
  const expected = expectedOf(transfer);
  // Read after the history, so that every transfer in the history is already recorded as committing.
  const attempts = (await otherUnseen(store, transfer)).filter((other) => other.isPossible);
  const ownAmong = (entries: readonly RelatedEntry[], matches: typeof isExactMatch) => {
    const rivals = attempts.filter((other) => matches(comparedOf(other.expected), expected));
    return ownEntry(
      entries,
      attemptOf(transfer),
      rivals.map(({ attempt }) => attempt),
    );
  };
  const match = ownAmong(matching, isExactMatch);
  if (match !== undefined) return { matching: [match], differing: [], growth };
  const similar = differing.filter((entry) => isPartialMatch(entry, expected));
  const similarMatch = ownAmong(similar, isPartialMatch);
  if (similarMatch !== undefined) return { matching: [], differing: [similarMatch], growth };
  // Other people can request files from the same contacts, but no other transfer should have our files.
  // One alarm is enough.
  const hasAlarm = transfer.progress.difference !== undefined;
  if (expected.files.length === 0 || hasAlarm) return { matching: [], differing: [], growth };
  // A similar entry belongs to another attempt: otherwise it would be ours.
  const isExplained = (entry: RelatedEntry) =>
    similar.includes(entry) || attempts.some((other) => isPartialMatch(entry, other.expected));
  return { matching: [], differing: differing.filter((entry) => !isExplained(entry)), growth };
}

/**
 * Whether a new entry can belong to this attempt: it hasn't failed, or it failed in doubt and is still being checked.
 */
const isPossible = ({ state, progress }: Transfer) => state !== 'failed' || progress.watchedUntil !== undefined;

const attemptOf = ({ state, committedAt, createdAt }: Transfer): Attempt => ({
  madeAt: (committedAt ?? createdAt).getTime(),
  hasPriority: state === 'sent' || state === 'committing',
});
