import type { Exchange } from '../../exchange/index.ts';
import type { Services } from '../common/services.ts';
import {
  type Akin,
  akinTo,
  comparedOf,
  type Excerpt,
  expectedOf,
  isAlike,
  type News,
  newsOf,
  snapshotOf,
} from './compare.ts';
import { type OpenTransfer, type Snapshot, transfersIn } from './repository.ts';

/** What the history has of a transfer before the send. Later entries are recognized as new by comparing with it. */
export async function takeSnapshot(
  { store }: Pick<Services, 'store'>,
  exchange: Exchange,
  transfer: OpenTransfer,
): Promise<Snapshot> {
  const expected = expectedOf(transfer);
  const excerpt = await akinEntries(store, exchange, transfer);
  const unseen = await unseenBut(store, transfer);
  // Failed transfers count as not sent here too. Otherwise a retry couldn't be distinguished from the first attempt.
  const twins = unseen.filter((other) => other.state !== 'failed' && isAlike(comparedOf(expectedOf(other)), expected));
  return snapshotOf(excerpt, expected, twins.length);
}

export async function readNews(
  { store }: Pick<Services, 'store'>,
  exchange: Exchange,
  transfer: OpenTransfer,
): Promise<News> {
  const { snapshot = { alike: 0, hidden: 0, total: 0 } } = transfer.details;
  const excerpt = await akinEntries(store, exchange, transfer);
  // A late entry of an earlier transfer isn't a difference.
  const earlier = (await unseenBut(store, transfer)).map(expectedOf);
  const others = await othersAmong(store, transfer, excerpt.entries);
  const isExplained = (entry: Akin) => earlier.some((expected) => isAlike(entry, expected));
  return newsOf(excerpt, expectedOf(transfer), snapshot, (entry) => others.has(entry), isExplained);
}

/** Identifies the transfer's entry across readings. */
export function markOf(news: News | undefined): string | undefined {
  return (news?.alike[0] ?? news?.otherwise[0])?.mark;
}

/** The entries known to belong to other transfers. Of identical entries, as many as there are owners. */
export async function othersAmong(
  store: Services['store'],
  { id, account }: OpenTransfer,
  entries: readonly Akin[],
): Promise<Set<Akin>> {
  const { rows } = await store.pool.query<{ mark: string; owners: number }>(
    `select entry_mark as mark, count(*)::int as owners from dropline.dispatches
     where account = $1 and id <> $2 and entry_mark = any ($3) group by entry_mark`,
    [account, id, entries.map(({ mark }) => mark)],
  );
  const owners = new Map(rows.map(({ mark, owners }) => [mark, owners]));
  return new Set(
    entries.filter(({ mark }) => {
      const left = owners.get(mark) ?? 0;
      owners.set(mark, left - 1);
      return left > 0;
    }),
  );
}

function akinEntries(store: Services['store'], exchange: Exchange, transfer: OpenTransfer): Promise<Excerpt> {
  return exchange.readHistory({ pick: akinTo(expectedOf(transfer), store.markOf) });
}

export async function unseenBut(store: Services['store'], { id, account }: OpenTransfer): Promise<OpenTransfer[]> {
  return (await transfersIn(store).unseen(account)).filter((other) => other.id !== id);
}
