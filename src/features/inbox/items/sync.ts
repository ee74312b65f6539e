import type { InboxItem as ServiceItem } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { batchesBySize, type Store } from '../../../store/index.ts';
import type { InboxItem } from '../../common/services.ts';
import { type ListedItem, readListed } from './entries.ts';
import { type Client, type FoundRow, itemTable, urlsOf } from './rows.ts';

/** The channel or people that an item belongs to; empty if that is decided later. */
export type OwnersOf = (item: Pick<InboxItem, 'sender'>) => string[];

/** Records what the service lists in the table of inbox items. */
export function itemSync(store: Pick<Store, 'columnCipher'>, workspace: string, account: string) {
  const { query, readDetails, encryptDetails, lock } = itemTable(store, workspace, account);

  /** How many more bytes of items this workspace can store, of all its accounts. */
  async function readRoom(client: Client): Promise<number> {
    const { rows } = await client.query<{ bytes: number }>(
      `select coalesce(sum(octet_length(url) + coalesce(octet_length(details_encrypted), 0)), 0)::float8 as bytes
       from dropline.inbox_items where workspace = $1`,
      [workspace],
    );
    return bounds.inboxBytes - (rows[0]?.bytes ?? 0);
  }

  /** The current items and, of the past ones, those that are listed again. */
  const readRecorded = (client: Client, listedUrls: readonly string[]) =>
    query<RecordedItem>(
      client,
      `select url, octet_length(details_encrypted) as bytes, digest, gone_at is not null as "isGone",
         announced_at is null as "isWaiting"
       from dropline.inbox_items
       where workspace = $1 and account = $2 and (gone_at is null or url in (select unnest($3::text[])))`,
      listedUrls,
    );

  /** Lists sort by `first_seen`, so the items of one poll get times that differ by a microsecond. */
  async function insert(
    client: Client,
    items: readonly ListedItem[],
    isNews: (item: ListedItem) => boolean,
    ownersOf: OwnersOf,
  ) {
    const foundAt = Date.now();
    const lifetimes = items.map(lifetimeOf);
    await query(
      client,
      `insert into dropline.inbox_items
         (workspace, account, url, digest, details_encrypted, first_seen, announced_at, expires_from, expires_after,
          belongs_to)
       select $1, $2, url, digest, encrypted, now() + number * interval '1 microsecond',
         case when not is_news then now() end, case when is_news then sent end, case when is_news then expires_after end,
         string_to_array(owners, ' ')
       from unnest($3::text[], $4::text[], $5::text[], $6::boolean[], $7::float8[], $8::float8[], $9::text[])
         with ordinality as fresh (url, digest, encrypted, is_news, sent, expires_after, owners, number)
       on conflict do nothing`,
      urlsOf(items),
      items.map(({ digest }) => digest),
      items.map(({ url, digest: _, ...listed }) => encryptDetails(url, { ...listed, foundAt, downloads: [] })),
      items.map(isNews),
      lifetimes.map((lifetime) => lifetime?.from ?? null),
      lifetimes.map((lifetime) => lifetime?.expiresAfter ?? null),
      items.map((item) => ownersOf(item).join(' ')),
    );
  }

  /** Updates the items that the service has changed, as far as there is room. Resolves with their number. */
  async function updateChanged(client: Client, changed: Difference['changed'], room: Room): Promise<number> {
    const listedByUrl = new Map(changed.map(({ item }) => [item.url, item]));
    let count = 0;
    for (const batch of batchesBySize(changed)) {
      const current = await readDetails(
        client,
        batch.map(({ item }) => item.url),
      );
      const updated = current.flatMap(({ url, details: before }) => {
        const { url: _, digest, ...listed } = listedByUrl.get(url) ?? {};
        const after = { ...before, ...listed };
        const fits = room.take(storedBytesOf(after) - storedBytesOf(before));
        return fits ? [{ url, digest, encrypted: encryptDetails(url, after) }] : [];
      });
      await query(
        client,
        `update dropline.inbox_items as item
         set details_encrypted = listed.encrypted, digest = listed.digest, changed_at = clock_timestamp()
         from unnest($3::text[], $4::text[], $5::text[]) as listed (url, digest, encrypted)
         where workspace = $1 and account = $2 and item.url = any ($3) and item.url = listed.url`,
        urlsOf(updated),
        updated.map(({ digest }) => digest),
        updated.map(({ encrypted }) => encrypted),
      );
      count += updated.length;
    }
    return count;
  }

  /** Records for present items that they are gone, and for gone ones that they are back. */
  const changePresence = (client: Client, urls: readonly string[]) =>
    query(
      client,
      `update dropline.inbox_items set gone_at = case when gone_at is null then now() end
       where workspace = $1 and account = $2 and url = any ($3)`,
      urls,
    );

  return {
    /**
     * Records what the service lists now. Resolves with how many items are new, changed, gone or back, not announced
     * yet, unusable or left out, and with the new `leftOutUntil`. `isFull`: there was no room for a new or changed
     * item. It is recorded by a later poll, once there is room.
     *
     * @param ownersOf what a new item belongs to
     * @param before `leftOutUntil` of the previous poll
     */
    async record(
      client: Client,
      entries: readonly ServiceItem[],
      isBaseline: boolean,
      ownersOf: OwnersOf,
      before?: number,
    ) {
      const { items, older, unusable } = readListed(entries);
      const listedUrls = new Set([...urlsOf(older), ...urlsOf(items)]);
      const recorded = await readRecorded(client, [...listedUrls]);
      const { fresh, changed, presenceChanged } = differenceOf(items, listedUrls, recorded);
      const room = createRoom(fresh.length + changed.length > 0 ? await readRoom(client) : 0);
      const [added, withoutRoom] = partition(fresh, (item) =>
        room.take(Buffer.byteLength(item.url) + storedBytesOf(item)),
      );
      // An item that is no newer than one left out earlier isn't news: it was beyond the limit until now.
      const isNews = ({ createdAt }: ListedItem) =>
        !isBaseline && (createdAt === undefined || before === undefined || createdAt > before);
      if (added.length > 0) {
        await insert(client, added, isNews, ownersOf);
        await deleteBeyondLimit(client);
      }
      const toLock = [...changed.map(({ item }) => item.url), ...presenceChanged];
      if (toLock.length > 0) await lock(client, toLock);
      const updated = await updateChanged(client, changed, room);
      if (presenceChanged.length > 0) await changePresence(client, presenceChanged);
      const known = new Set(urlsOf(recorded));
      const leftOut = older.filter(({ url }) => !known.has(url));
      // Items without room are news once there is room, except those that were there before the workspace connected.
      const notNews = isBaseline ? [...leftOut, ...withoutRoom] : leftOut;
      return {
        fresh: added.length,
        changed: updated,
        presenceChanged: presenceChanged.length,
        waiting: recorded.filter(({ isWaiting }) => isWaiting).length + added.filter(isNews).length,
        unusable,
        leftOut: leftOut.length + withoutRoom.length,
        leftOutUntil: latest(before, notNews.at(-1)?.createdAt),
        isFull: room.isFull(),
      };
    },
  };

  /**
   * Keeps the current items and those gone most recently, up to the limit, and deletes a batch of the others. Skips rows
   * that another transaction has locked, because waiting for them could deadlock. The next poll retries.
   */
  async function deleteBeyondLimit(client: Client): Promise<void> {
    const beyond = await query<{ url: string }>(
      client,
      `select url from dropline.inbox_items where workspace = $1 and account = $2
       order by gone_at desc nulls first, first_seen desc offset $3 limit $4`,
      bounds.inboxRows,
      2 * bounds.inboxItems,
    );
    if (beyond.length === 0) return;
    await query(
      client,
      `with locked as materialized (
         select url from dropline.inbox_items where workspace = $1 and account = $2 and url = any ($3)
         for update skip locked
       )
       delete from dropline.inbox_items as item using locked
       where workspace = $1 and account = $2 and item.url = any ($3) and item.url = locked.url`,
      urlsOf(beyond),
    );
  }
}

interface RecordedItem extends FoundRow {
  digest: string;
  isGone: boolean;
  /** Not announced yet. */
  isWaiting: boolean;
}

interface Difference {
  /** Listed, and not recorded yet. */
  fresh: ListedItem[];
  changed: { item: ListedItem; bytes: number | null }[];
  /** The URLs of the items that are gone or back. */
  presenceChanged: string[];
}

/** @param listedUrls of all items on the service, including those beyond the limit */
function differenceOf(
  items: readonly ListedItem[],
  listedUrls: ReadonlySet<string>,
  recorded: readonly RecordedItem[],
): Difference {
  const recordedByUrl = new Map(recorded.map((known) => [known.url, known]));
  return {
    fresh: items.filter(({ url }) => !recordedByUrl.has(url)),
    changed: items.flatMap((item) => {
      const known = recordedByUrl.get(item.url);
      return known === undefined || known.digest === item.digest ? [] : [{ item, bytes: known.bytes }];
    }),
    presenceChanged: urlsOf(recorded.filter(({ url, isGone }) => isGone === listedUrls.has(url))),
  };
}

type Room = ReturnType<typeof createRoom>;

/** Counts the bytes that items can still take. */
function createRoom(bytes: number) {
  let remaining = bytes;
  let isFull = false;
  return {
    /** Resolves with false if so many bytes don't fit. */
    take(growth: number): boolean {
      const fits = growth <= Math.max(0, remaining);
      if (fits) remaining -= growth;
      else isFull = true;
      return fits;
    },
    isFull: () => isFull,
  };
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): [passed: T[], failed: T[]] {
  const passed: T[] = [];
  const failed: T[] = [];
  for (const one of all) (test(one) ? passed : failed).push(one);
  return [passed, failed];
}

/** Approximately how long the details are when they are encrypted, which makes them a third longer. */
const storedBytesOf = (details: object): number => Math.ceil((Buffer.byteLength(JSON.stringify(details)) * 4) / 3);

/** The later of the two times, at most the current time: with a future time, no item would count as new. */
function latest(before: number | undefined, leftOut: number | undefined): number | undefined {
  if (leftOut === undefined) return before;
  return Math.max(before ?? 0, Math.min(leftOut, Math.floor(Date.now() / 1000)));
}

/** Larger than any date that can be shown. The database calculates with smaller numbers only, so it can't overflow. */
const maxSeconds = 1e12;

/** When the item was created, and after how many units it expires; undefined if the service doesn't send numbers. */
function lifetimeOf({ createdAt, expiresAfter }: ListedItem): { from: number; expiresAfter: number } | undefined {
  const value = Number(expiresAfter ?? Number.NaN);
  const isKnown = createdAt !== undefined && Math.abs(createdAt) < maxSeconds && value > 0 && value < maxSeconds;
  return isKnown ? { from: createdAt, expiresAfter: value } : undefined;
}
