import type pg from 'pg';
import { z } from 'zod';
import type { InboxItem as ServiceItem } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { digest } from '../../../lib/hashed.ts';
import { stored } from '../../../lib/stored-formats.ts';
import { batchesBySize, type Store } from '../../../store/index.ts';
import type { InboxItem, ItemWork } from '../../common/services.ts';
import { type ListedItem, readListed } from './entries.ts';

const details = stored(
  'inbox_items.details_encrypted',
  z.object({
    sender: z.string().optional(),
    createdAt: z.number().optional(),
    expiresAfter: z.string().optional(),
    foundAt: z.number(),
    files: z.array(z.string()),
    filesLeftOut: z.number().optional(),
    downloads: z.array(z.object({ person: z.string(), file: z.string(), at: z.number(), ...digest.partial().shape })),
    post: z
      .object({
        channel: z.string(),
        ts: z.string(),
        thread: z.string().optional(),
        requesters: z.array(z.string()).optional(),
        isDigest: z.literal(true).optional(),
        items: z.array(z.string()).optional(),
      })
      .optional(),
    scans: z
      .array(z.object({ file: z.string(), state: z.enum(['infected', 'not-scanned']), detail: z.string() }))
      .optional(),
  }),
);

/** The part of an item that is stored encrypted. */
export type ItemDetails = z.infer<typeof details>;
export type Scanned = NonNullable<ItemDetails['scans']>[number];

interface Row {
  url: string;
  details_encrypted: string;
  changed_at: string | null;
  is_gone: boolean;
  belongs_to: string[];
  first_seen: Date;
  taken_by: string | null;
  taken_at: Date | null;
  done_by: string | null;
  done_at: Date | null;
}

/** What a statement finds before the items are read. `bytes`: the size of the encrypted details. */
export interface FoundRow {
  url: string;
  bytes: number | null;
}

export type Client = Pick<pg.ClientBase, 'query'>;

/** The rows of one workspace and account, which are $1 and $2 in every statement. */
export function itemTable({ columnCipher }: Pick<Store, 'columnCipher'>, workspace: string, account: string) {
  const { encrypt, decrypt } = columnCipher('inbox_items', 'details_encrypted');
  const idOf = (url: string) => JSON.stringify([workspace, account, url]);
  const detailsOf = ({ url, details_encrypted }: Row) => details.parse(decrypt(idOf(url), details_encrypted));
  const itemOf = (row: Row): InboxItem => ({
    ...detailsOf(row),
    url: row.url,
    isGone: row.is_gone,
    belongsTo: row.belongs_to,
    work: workOf(row),
    firstSeen: row.first_seen.getTime(),
    changedAt: row.changed_at ?? undefined,
  });

  async function query<T extends pg.QueryResultRow>(client: Client, sql: string, ...values: unknown[]): Promise<T[]> {
    return (await client.query<T>(sql, [workspace, account, ...values])).rows;
  }

  /** Reads rows in the order of their URLs. Only for few rows, because all of them are in memory. */
  async function readRows(client: Client, urls: readonly string[]): Promise<Row[]> {
    const rows = await query<Row>(
      client,
      `select url, details_encrypted, changed_at::text, gone_at is not null as is_gone, belongs_to, first_seen,
         taken_by, taken_at, done_by, done_at
       from dropline.inbox_items where workspace = $1 and account = $2 and url = any ($3)`,
      urls,
    );
    const byUrl = new Map(rows.map((row) => [row.url, row]));
    return urls.flatMap((url) => byUrl.get(url) ?? []);
  }

  const read = async (client: Client, found: readonly Pick<FoundRow, 'url'>[]): Promise<InboxItem[]> =>
    (await readRows(client, urlsOf(found))).map(itemOf);

  return {
    query,
    read,
    async readDetails(client: Client, urls: readonly string[]): Promise<{ url: string; details: ItemDetails }[]> {
      return (await readRows(client, urls)).map((row) => ({ url: row.url, details: detailsOf(row) }));
    },
    /** Throws if the details have a field that would be lost when they are read. */
    encryptDetails: (url: string, after: ItemDetails) => encrypt(idOf(url), details.strict().parse(after)),
    /** Reads any number of items. A batch has at most `bounds.readBytes`, or one item. */
    async *readBatches(client: Client, found: readonly FoundRow[]): AsyncGenerator<InboxItem[]> {
      for (const batch of batchesBySize(found)) yield await read(client, batch);
    },
    /** Finds items by the ids that `itemIdOf` returns, oldest first. */
    findByIds: async (client: Client, ids: readonly string[]): Promise<InboxItem[]> =>
      read(
        client,
        await query<FoundRow>(
          client,
          `select url from dropline.inbox_items
           where workspace = $1 and account = $2 and dropline.inbox_item_id(url) = any ($3) order by first_seen, url`,
          ids,
        ),
      ),
    /**
     * Visits the items that `find` finds. At most `max` of them are read, and about `bounds.searchBytes`.
     *
     * @param find finds a part of the rows
     */
    searchWith:
      (client: Client, max: number, find: (limit: number, offset: number) => Promise<FoundRow[]>): Search =>
      async (visit) => {
        let searched = 0;
        let bytes = 0;
        // Ends after a read of fewer rows than its limit.
        for (let offset = 0; searched === offset; offset += bounds.inboxBatch) {
          for (const batch of batchesBySize(await find(bounds.inboxBatch, offset))) {
            if (searched >= max || bytes >= bounds.searchBytes) return searched;
            if (!(await read(client, batch)).every(visit)) return undefined;
            for (const row of batch) bytes += row.bytes ?? 0;
            searched += batch.length;
          }
        }
        return undefined;
      },
    /** Call before a change of several rows. The order is always the same, so that no two transactions deadlock. */
    lock: (client: Client, urls: readonly string[]) =>
      query(
        client,
        `select from dropline.inbox_items where workspace = $1 and account = $2 and url = any ($3)
         order by url for update`,
        urls,
      ),
  };
}

export const urlsOf = (items: readonly { url: string }[]): string[] => items.map(({ url }) => url);

/** Who has taken the item or marked it as done; undefined for an open item. */
function workOf({ taken_by, taken_at, done_by, done_at }: Row): ItemWork | undefined {
  if (taken_by === null && done_by === null) return undefined;
  const markOf = (person: string | null, at: Date | null) =>
    person === null || at === null ? undefined : { person, at };
  return { taken: markOf(taken_by, taken_at), done: markOf(done_by, done_at) };
}

/**
 * Repository of a workspace's inbox items, current and past. The repositories of `announce`, `reminders` and `work` use
 * other columns of the same table.
 */
export function itemsIn(store: Pick<Store, 'pool' | 'columnCipher'>, workspace: string, account: string) {
  const { pool } = store;
  const { query, read, readDetails, encryptDetails, findByIds, lock } = itemTable(store, workspace, account);

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

  /** Changes one item and marks its post as outdated. Resolves with false if `change` changes nothing. */
  async function changeItem(
    client: Client,
    url: string,
    change: (before: ItemDetails) => ItemDetails | undefined,
  ): Promise<boolean> {
    await lock(client, [url]);
    const [known] = await readDetails(client, [url]);
    const after = known && change(known.details);
    if (after === undefined) return false;
    await query(
      client,
      `update dropline.inbox_items set details_encrypted = $4, changed_at = clock_timestamp()
       where workspace = $1 and account = $2 and url = $3`,
      url,
      encryptDetails(url, after),
    );
    return true;
  }

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
    /** Whether any item was announced, which is so after a reconnect. */
    async areAnnounced(client: Client): Promise<boolean> {
      const sql = `select from dropline.inbox_items
        where workspace = $1 and account = $2 and announced_at is not null limit 1`;
      return (await query(client, sql)).length > 0;
    },
    find: async (url: string): Promise<InboxItem | undefined> => (await read(pool, [{ url }]))[0],
    findById: async (id: string): Promise<InboxItem | undefined> => (await findByIds(pool, [id]))[0],
    /** The channels and people that items belong to. Skips in the index from each list to the next: there are few. */
    async listOwners(): Promise<string[]> {
      const sql = `with recursive lists as (
          (select belongs_to from dropline.inbox_items where workspace = $1 and account = $2 order by belongs_to limit 1)
          union all
          select (select belongs_to from dropline.inbox_items
              where workspace = $1 and account = $2 and belongs_to > lists.belongs_to order by belongs_to limit 1)
            from lists where belongs_to is not null
        )
        select distinct unnest(belongs_to) as owner from lists`;
      return (await query<{ owner: string }>(pool, sql)).map(({ owner }) => owner);
    },
    /** Gives what was announced for a channel or person to another channel. Resolves with the number of items. */
    async move(client: Client, from: string, to: string): Promise<number> {
      const found = await query<FoundRow>(
        client,
        `select url from dropline.inbox_items
         where workspace = $1 and account = $2 and $3 = any (belongs_to) and announced_at is not null
         order by url for update`,
        from,
      );
      await query(
        client,
        `update dropline.inbox_items set belongs_to = array[$4], changed_at = clock_timestamp()
         where workspace = $1 and account = $2 and url = any ($3)`,
        urlsOf(found),
        to,
      );
      return found.length;
    },
    /** Hides all items until `announce` decides what they belong to. Resolves with whether there are any. */
    async unassign(client: Client): Promise<boolean> {
      const sql = `update dropline.inbox_items set belongs_to = '{}' where workspace = $1 and account = $2 returning 1`;
      return (await query(client, sql)).length > 0;
    },
    /**
     * `isNew`: whether this person's download of these bytes wasn't recorded before. `earlierSha256`: of the latest
     * download of the file with other bytes.
     */
    async recordDownload(client: Client, url: string, download: ItemDetails['downloads'][number]) {
      const { person, file, sha256 } = download;
      let earlierSha256: string | undefined;
      const isNew = await changeItem(client, url, (before) => {
        const others = before.downloads.filter((other) => other.file === file);
        earlierSha256 = others.findLast((other) => (other.sha256 ?? sha256) !== sha256)?.sha256;
        if (others.some((other) => other.person === person && other.sha256 === sha256)) return undefined;
        return { ...before, downloads: newestWithin(bounds.downloadListBytes, [...before.downloads, download]) };
      });
      return { isNew, earlierSha256 };
    },
    /** Resolves with false if the same result was already recorded for this file. */
    recordScan(client: Client, url: string, scanned: Scanned): Promise<boolean> {
      const isSame = ({ file, state }: Scanned) => file === scanned.file && state === scanned.state;
      return changeItem(client, url, ({ scans = [], ...before }) =>
        scans.some(isSame)
          ? undefined
          : { ...before, scans: newestWithin(bounds.scanListBytes, [...scans, scanned].sort(infectedLast)) },
      );
    },
    /** Removes a file's mark. Resolves with its signature, or with undefined if the file isn't marked as infected. */
    async removeInfected(client: Client, url: string, file: string): Promise<string | undefined> {
      let signature: string | undefined;
      await changeItem(client, url, ({ scans = [], ...before }) => {
        const isMark = (scan: Scanned) => scan.file === file && scan.state === 'infected';
        signature = scans.find(isMark)?.detail;
        return signature === undefined ? undefined : { ...before, scans: scans.filter((scan) => !isMark(scan)) };
      });
      return signature;
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

/** The channel or people that an item belongs to; empty if that is decided later. */
export type OwnersOf = (item: Pick<InboxItem, 'sender'>) => string[];

/** A person, and the channels and people whose items they see: see `permission.ts`. */
export interface Viewer {
  workspace: string;
  account: string;
  person: string;
  owners: readonly string[];
}

/** The items that a person sees. Every statement here is limited to them. */
export function itemsSeenBy(store: Pick<Store, 'pool' | 'columnCipher'>, viewer: Viewer) {
  const { pool } = store;
  const { query, read, searchWith } = itemTable(store, viewer.workspace, viewer.account);

  const findCurrent = (limit: number, offset: number) =>
    query<FoundRow>(
      pool,
      `select url, octet_length(details_encrypted) as bytes from dropline.inbox_items
       where workspace = $1 and account = $2 and belongs_to && $3::text[] and gone_at is null
       order by first_seen desc, url limit $4 offset $5`,
      viewer.owners,
      limit,
      offset,
    );

  const findNewest = (limit: number, offset: number) =>
    query<FoundRow>(
      pool,
      `select url, octet_length(details_encrypted) as bytes from dropline.inbox_items
       where workspace = $1 and account = $2 and belongs_to && $3::text[]
       order by first_seen desc, url limit $4 offset $5`,
      viewer.owners,
      limit,
      offset,
    );

  const list = async (limit: number, offset: number) => read(pool, await findCurrent(limit, offset));

  /** Groups the items by what they belong to: comparing each of them with all channels of the viewer costs twice as much. */
  async function countPresent(): Promise<number> {
    const sql = `with lists as materialized (
        select belongs_to, count(*) as many from dropline.inbox_items
        where workspace = $1 and account = $2 and gone_at is null group by belongs_to
      )
      select coalesce(sum(many), 0)::int as many from lists where belongs_to && $3::text[]`;
    return (await query<{ many: number }>(pool, sql, viewer.owners))[0]?.many ?? 0;
  }

  return {
    list,
    /** A page of the current items that match, newest first, and how many match. A page after the last one is empty. */
    async page(page: number, size: number, matches?: ItemTest): Promise<ItemPage> {
      if (matches === undefined) return { items: await list(size, page * size), total: await countPresent() };
      return pageOf(searchWith(pool, bounds.inboxRows, findCurrent), page, size, matches);
    },
    /** The latest items of one sender, current or past, among the newest `bounds.inboxItems`. */
    latestFrom(address: string, limit: number): Promise<Found> {
      const sender = address.toLowerCase();
      const isFrom = (item: InboxItem) => item.sender?.trim().toLowerCase() === sender;
      return findFirst(searchWith(pool, bounds.inboxItems, findNewest), limit, isFrom);
    },
  };
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

const infectedLast = (one: Scanned, other: Scanned) =>
  Number(one.state === 'infected') - Number(other.state === 'infected');

/** Drops the oldest entries beyond the size. */
function newestWithin<T>(maxBytes: number, entries: readonly T[]): T[] {
  let remaining = maxBytes;
  const isBeyond = (entry: T) => {
    remaining -= Buffer.byteLength(JSON.stringify(entry));
    return remaining < 0;
  };
  return entries.slice(entries.findLastIndex(isBeyond) + 1);
}

/** Approximately how long the details are when they are encrypted, which makes them a third longer. */
const storedBytesOf = (details: object): number => Math.ceil((Buffer.byteLength(JSON.stringify(details)) * 4) / 3);

/** `open`: not taken and not done. `mine`: taken by the person and not done, also if the files are gone. */
export const workFilters = ['open', 'done', 'mine'] as const;
export type WorkFilter = (typeof workFilters)[number];

export type ItemTest = (item: InboxItem) => boolean;

/** Visits items, newest first, until `visit` returns false. Resolves with their number if there were too many. */
export type Search = (visit: ItemTest) => Promise<number | undefined>;

export interface Found {
  items: InboxItem[];
  /** How many of the newest items were searched; undefined if there was no need to stop there. */
  searched?: number;
}

export interface ItemPage extends Found {
  /** How many match. */
  total: number;
}

/** One page of the matching items. Keeps only that page in memory. */
export async function pageOf(search: Search, page: number, size: number, matches: ItemTest): Promise<ItemPage> {
  const items: InboxItem[] = [];
  let total = 0;
  const searched = await search((item) => {
    if (!matches(item)) return true;
    if (total >= page * size && items.length < size) items.push(item);
    total += 1;
    return true;
  });
  return { items, total, searched };
}

/** The newest matching items. */
export async function findFirst(search: Search, limit: number, matches: ItemTest): Promise<Found> {
  const items: InboxItem[] = [];
  const searched = await search((item) => {
    if (matches(item)) items.push(item);
    return items.length < limit;
  });
  return { items, searched };
}

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
