import type { Exchange } from '../../exchange/index.ts';
import type { Services } from '../common/services.ts';
import {
  comparedOf,
  type Excerpt,
  expectedOf,
  isExactMatch,
  type NewEntries,
  newEntriesOf,
  type RelatedEntry,
  relatedTo,
  snapshotOf,
} from './compare.ts';
import { type OpenTransfer, type Snapshot, transfersIn } from './repository.ts';

/** Records the related history entries before a transfer is sent, so that new entries can be recognized later. */
export async function takeSnapshot(
  { store }: Pick<Services, 'store'>,
  exchange: Exchange,
  transfer: OpenTransfer,
): Promise<Snapshot> {
  const expected = expectedOf(transfer);
  const excerpt = await relatedEntries(store, exchange, transfer);
  const unseen = await otherUnseen(store, transfer);
  // Failed transfers count as not sent. Otherwise a retry's entry would be attributed to the failed transfer.
  const identical = unseen.filter(
    (other) => other.state !== 'failed' && isExactMatch(comparedOf(expectedOf(other)), expected),
  );
  return snapshotOf(excerpt, expected, identical.length);
}

export async function readNewEntries(
  { store }: Pick<Services, 'store'>,
  exchange: Exchange,
  transfer: OpenTransfer,
): Promise<NewEntries> {
  const { snapshot = { alike: 0, hidden: 0, total: 0 } } = transfer.details;
  const excerpt = await relatedEntries(store, exchange, transfer);
  // A late entry of an earlier transfer isn't a difference.
  const earlier = (await otherUnseen(store, transfer)).map(expectedOf);
  const others = await entriesOfOthers(store, transfer, excerpt.entries);
  const isExplained = (entry: RelatedEntry) => earlier.some((expected) => isExactMatch(entry, expected));
  return newEntriesOf(excerpt, expectedOf(transfer), snapshot, (entry) => others.has(entry), isExplained);
}

/** The mark that identifies the transfer's entry in every read of the history. */
export function markOf(newEntries: NewEntries | undefined): string | undefined {
  return (newEntries?.matching[0] ?? newEntries?.differing[0])?.mark;
}

/** The entries known to belong to other transfers. Of several identical entries, one for each such transfer. */
export async function entriesOfOthers(
  store: Services['store'],
  transfer: OpenTransfer,
  entries: readonly RelatedEntry[],
): Promise<Set<RelatedEntry>> {
  const owners = await transfersIn(store).countOthers(
    transfer,
    entries.map(({ mark }) => mark),
  );
  return new Set(
    entries.filter(({ mark }) => {
      const remaining = owners.get(mark) ?? 0;
      owners.set(mark, remaining - 1);
      return remaining > 0;
    }),
  );
}

function relatedEntries(store: Services['store'], exchange: Exchange, transfer: OpenTransfer): Promise<Excerpt> {
  return exchange.readHistory({ pick: relatedTo(expectedOf(transfer), store.markOf) });
}

export async function otherUnseen(store: Services['store'], { id, account }: OpenTransfer): Promise<OpenTransfer[]> {
  return (await transfersIn(store).unseen(account)).filter((other) => other.id !== id);
}
