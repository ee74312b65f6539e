import type { Exchange, HistoryEntry } from '../../exchange/index.ts';
import type { Services } from '../services.ts';
import { type Excerpt, expectedOf, isAkin, isAlike, type News, newsOf, snapshotOf, textOf } from './compare.ts';
import { ledgerOf, type OpenTransfer, type Snapshot } from './ledger.ts';

/** What the history has of a transfer before it is sent: whatever comes on top of it afterwards is told from it. */
export async function takeSnapshot(
  { store }: Pick<Services, 'store'>,
  exchange: Exchange,
  transfer: OpenTransfer,
): Promise<Snapshot> {
  const expected = expectedOf(transfer);
  const excerpt = await akinEntries(exchange, transfer);
  const unseen = await unseenBut(store, transfer);
  // What was told as not sent counts as not sent here too: else a second try could never be told from the first.
  const twins = unseen.filter((other) => other.state !== 'failed' && isAlike(asEntry(other), expected));
  return snapshotOf(excerpt, expected, twins.length);
}

export async function readNews(
  { store }: Pick<Services, 'store'>,
  exchange: Exchange,
  transfer: OpenTransfer,
): Promise<News> {
  const { snapshot = { alike: 0, hidden: 0, total: 0 } } = transfer.details;
  const excerpt = await akinEntries(exchange, transfer);
  // What was sent earlier and appears only now is no surprise.
  const earlier = (await unseenBut(store, transfer)).map(expectedOf);
  const others = await othersAmong(store, transfer, excerpt.entries);
  const isExplained = (entry: HistoryEntry) => earlier.some((expected) => isAlike(entry, expected));
  return newsOf(excerpt, expectedOf(transfer), snapshot, (entry) => others.has(entry), isExplained);
}

/** By which the transfer's entry is known again. */
export function markOf({ store }: Pick<Services, 'store'>, news: News | undefined): string | undefined {
  const entry = news?.alike[0] ?? news?.otherwise[0];
  return entry === undefined ? undefined : store.markOf(textOf(entry));
}

/** Which of the entries are known to be other transfers'. Of entries that read the same, as many as have an owner. */
export async function othersAmong(
  store: Services['store'],
  { id, account }: OpenTransfer,
  entries: readonly HistoryEntry[],
): Promise<Set<HistoryEntry>> {
  const marks = new Map(entries.map((entry) => [entry, store.markOf(textOf(entry))]));
  const { rows } = await store.pool.query<{ mark: string; owners: number }>(
    `select entry_mark as mark, count(*)::int as owners from dropline.dispatches
     where account = $1 and id <> $2 and entry_mark = any ($3) group by entry_mark`,
    [account, id, [...marks.values()]],
  );
  const owners = new Map(rows.map(({ mark, owners }) => [mark, owners]));
  return new Set(
    entries.filter((entry) => {
      const mark = marks.get(entry) ?? '';
      const left = owners.get(mark) ?? 0;
      owners.set(mark, left - 1);
      return left > 0;
    }),
  );
}

async function akinEntries(exchange: Exchange, transfer: OpenTransfer): Promise<Excerpt> {
  const expected = expectedOf(transfer);
  let total = 0;
  const keep = (entry: HistoryEntry) => {
    total += 1;
    return isAkin(entry, expected);
  };
  const { entries } = await exchange.readHistory({ keep });
  return { entries, total };
}

export async function unseenBut(store: Services['store'], { id, account }: OpenTransfer): Promise<OpenTransfer[]> {
  return (await ledgerOf(store).unseen(account)).filter((other) => other.id !== id);
}

/** As the history would show it. */
export function asEntry(transfer: OpenTransfer): HistoryEntry {
  const { files, receivers, message } = expectedOf(transfer);
  return {
    type: undefined,
    createdAt: undefined,
    ttl: undefined,
    message,
    files: files.map((name) => ({ name })),
    receivers: receivers.map(({ email, number }) => ({ email, number, nick: undefined, name: undefined })),
  };
}
