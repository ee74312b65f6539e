import type pg from 'pg';
import { z } from 'zod';
import { bounds } from '../../../bounds.ts';
import type { InboxItem as ServiceItem } from '../../../exchange/index.ts';
import { batchesBySize, type Store } from '../../../store/index.ts';
import { stored } from '../../../stored-formats.ts';
import type { InboxItem, ItemWork, Location } from '../../common/services.ts';
import { type ListedItem, readListed } from './entries.ts';

/**
 * Repository of a workspace's inbox items, current and past. The repositories of `announce`, `reminders` and `work` use
 * other columns of the same table.
 */
export function itemsIn(store: Pick<Store, 'pool' | 'columnCipher'>, workspace: string, account: string) {
  const { pool } = store;
  const { scope, query, read, newest, lock, change, insert, rewrite } = itemTable(store, workspace, account);

  const list = (limit: number, offset: number) =>
    read(pool, 'gone_at is null order by first_seen desc, url limit $3 offset $4', limit, offset);

  async function countPresent(): Promise<number> {
    const sql = `select count(*)::int as many from dropline.inbox_items where ${scope} and gone_at is null`;
    return (await query<{ many: number }>(pool, sql))[0]?.many ?? 0;
  }

  /** How many more bytes of items this workspace can store, of all its accounts. */
  async function readRoom(client: Client): Promise<number> {
    const { rows } = await client.query<{ bytes: number }>(
      `select coalesce(sum(octet_length(url) + coalesce(octet_length(details_encrypted), 0)), 0)::float8 as bytes
       from dropline.inbox_items where workspace = $1`,
      [workspace],
    );
    return bounds.inboxBytes - (rows[0]?.bytes ?? 0);
  }

  return {
    /**
     * Records what the service lists now. Resolves with how many items are new, changed, gone or back, not announced
     * yet, unusable or left out, and with the new `leftOutUntil`. `isFull`: there was no room for a new or changed
     * item. It is recorded by a later poll, once there is room.
     *
     * @param before `leftOutUntil` of the previous poll
     */
    async record(client: Client, listed: readonly ServiceItem[], isBaseline: boolean, before?: number) {
      const { items, older, unusable } = readListed(listed);
      const listedUrls = new Set([...older, ...items].map(({ url }) => url));
      const rows = await query<{ url: string; digest: string; gone: boolean; waiting: boolean }>(
        client,
        `select url, digest, gone_at is not null as gone, announced_at is null as waiting
         from dropline.inbox_items where ${scope} and (gone_at is null or url in (select unnest($3::text[])))`,
        [...listedUrls],
      );
      const known = new Map(rows.map((row) => [row.url, row]));
      const allFresh = items.filter(({ url }) => !known.has(url));
      const allChanged = items.filter(({ url, digest }) => (known.get(url)?.digest ?? digest) !== digest);
      let room = allFresh.length + allChanged.length > 0 ? await readRoom(client) : 0;
      let isFull = false;
      const takesRoom = (growth: number) => {
        const fits = growth <= Math.max(0, room);
        if (fits) room -= growth;
        else isFull = true;
        return fits;
      };
      const fresh = allFresh.filter((item) => takesRoom(Buffer.byteLength(item.url) + storedBytesOf(item)));
      const recorded = new Set(fresh);
      const withoutRoom = allFresh.filter((item) => !recorded.has(item));
      // An item that is no newer than one left out earlier isn't news: it was beyond the limit until now.
      const isNews = ({ createdAt }: ListedItem) =>
        !isBaseline && (createdAt === undefined || before === undefined || createdAt > before);
      if (fresh.length > 0) {
        await insert(client, fresh, isNews);
        await deleteBeyondLimit(client);
      }
      const leftOut = older.filter(({ url }) => !known.has(url));
      // Items without room are news once there is room, except those that were there before the workspace connected.
      const notNews = isBaseline ? [...leftOut, ...withoutRoom] : leftOut;
      const presenceChanged = rows.filter(({ url, gone }) => gone === listedUrls.has(url)).map(({ url }) => url);
      const toLock = [...allChanged.map(({ url }) => url), ...presenceChanged];
      if (toLock.length > 0) await lock(client, toLock);
      const changed: { url: string; digest: string | undefined }[] = [];
      if (allChanged.length > 0) {
        const listedByUrl = new Map(allChanged.map(({ url, ...details }) => [url, details]));
        await rewrite(client, [...listedByUrl.keys()], (url, before) => {
          const { digest, ...details } = listedByUrl.get(url) ?? {};
          const after = { ...before, ...details };
          if (!takesRoom(storedBytesOf(after) - storedBytesOf(before))) return undefined;
          changed.push({ url, digest });
          return after;
        });
        await change(
          client,
          changed.map(({ url }) => url),
          {
            set: 'changed_at = clock_timestamp(), digest = given.digest',
            using: 'unnest($3::text[], $4::text[]) as given (url, digest)',
          },
          changed.map(({ digest }) => digest),
        );
      }
      if (presenceChanged.length > 0) {
        await change(client, presenceChanged, { set: 'gone_at = case when gone_at is null then now() end' });
      }
      return {
        fresh: fresh.length,
        changed: changed.length,
        presenceChanged: presenceChanged.length,
        waiting: rows.filter((row) => row.waiting).length + fresh.filter(isNews).length,
        unusable,
        leftOut: leftOut.length + withoutRoom.length,
        leftOutUntil: latest(before, notNews.at(-1)?.createdAt),
        isFull,
      };
    },
    async find(url: string): Promise<StoredItem | undefined> {
      return (await read(pool, 'url = $3', url))[0];
    },
    /** Finds an item by the id that `itemIdOf` returns. */
    async findById(id: string): Promise<StoredItem | undefined> {
      return (await read(pool, 'dropline.inbox_item_id(url) = $3', id))[0];
    },
    countPresent,
    list,
    /** A page of the current items that match, newest first, and how many match. A page after the last one is empty. */
    async page(page: number, size: number, matches?: ItemTest): Promise<ItemPage> {
      if (matches === undefined) return { items: await list(size, page * size), total: await countPresent() };
      return pageOf(newest(pool, 'gone_at is null', bounds.inboxRows), page, size, matches);
    },
    /** The latest items of one sender, current or past, among the newest `bounds.inboxItems`. */
    async latestFrom(address: string, limit: number) {
      const sender = address.toLowerCase();
      const isFrom = ({ item }: StoredItem) => item.sender?.trim().toLowerCase() === sender;
      const { items, searched } = await findFirst(newest(pool, 'true', bounds.inboxItems), limit, isFrom);
      return { items: items.map(({ item }) => item), searched };
    },
    /** Resolves with false if this person's download of this file was already recorded. */
    async recordDownload(client: Client, url: string, download: ItemDetails['downloads'][number]): Promise<boolean> {
      const isSame = ({ person, file }: typeof download) => person === download.person && file === download.file;
      const changedRows = await rewrite(client, [url], (_, before) =>
        before.downloads.some(isSame)
          ? undefined
          : { ...before, downloads: newestWithin(bounds.downloadListBytes, [...before.downloads, download]) },
      );
      if (changedRows > 0) await change(client, [url], { set: 'changed_at = clock_timestamp()' });
      return changedRows > 0;
    },
    /** Resolves with false if the same result was already recorded for this file. */
    async recordScan(client: Client, url: string, scanned: Scanned): Promise<boolean> {
      const isSame = ({ file, state }: Scanned) => file === scanned.file && state === scanned.state;
      const changedRows = await rewrite(client, [url], (_, { scans = [], ...before }) =>
        scans.some(isSame)
          ? undefined
          : { ...before, scans: newestWithin(bounds.scanListBytes, [...scans, scanned].sort(infectedLast)) },
      );
      if (changedRows > 0) await change(client, [url], { set: 'changed_at = clock_timestamp()' });
      return changedRows > 0;
    },
    /** Removes a file's mark. Resolves with its signature, or with undefined if the file isn't marked as infected. */
    async removeInfected(client: Client, url: string, file: string): Promise<string | undefined> {
      let signature: string | undefined;
      await rewrite(client, [url], (_, { scans = [], ...before }) => {
        const isMark = (scan: Scanned) => scan.file === file && scan.state === 'infected';
        signature = scans.find(isMark)?.detail;
        return signature === undefined ? undefined : { ...before, scans: scans.filter((scan) => !isMark(scan)) };
      });
      if (signature !== undefined) await change(client, [url], { set: 'changed_at = clock_timestamp()' });
      return signature;
    },
  };

  /** Keeps the current items and those gone most recently, up to the limit, and deletes a batch of the others. */
  async function deleteBeyondLimit(client: Client): Promise<void> {
    const beyond = await query<{ url: string }>(
      client,
      `select url from dropline.inbox_items where ${scope}
       order by gone_at desc nulls first, first_seen desc offset ${bounds.inboxRows} limit ${2 * bounds.inboxItems}`,
    );
    if (beyond.length === 0) return;
    // Skips rows that another transaction has locked, because waiting for them could deadlock. The next poll retries.
    await query(
      client,
      `with locked as materialized (
         select url from dropline.inbox_items where ${scope} and url = any ($3) for update skip locked
       )
       delete from dropline.inbox_items as item using locked
       where ${scope} and item.url = any ($3) and item.url = locked.url`,
      beyond.map(({ url }) => url),
    );
  }
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

export type ItemTest = (known: StoredItem) => boolean;

/** Visits items, newest first, until `visit` returns false. Resolves with their number if there were too many. */
export type Search = (visit: ItemTest) => Promise<number | undefined>;

export interface Found {
  items: StoredItem[];
  /** How many of the newest items were searched; undefined if there was no need to stop there. */
  searched?: number | undefined;
}

export interface ItemPage extends Found {
  /** How many match. */
  total: number;
}

/** One page of the matching items. Keeps only that page in memory. */
export async function pageOf(search: Search, page: number, size: number, matches: ItemTest): Promise<ItemPage> {
  const items: StoredItem[] = [];
  let total = 0;
  const searched = await search((known) => {
    if (!matches(known)) return true;
    if (total >= page * size && items.length < size) items.push(known);
    total += 1;
    return true;
  });
  return { items, total, searched };
}

/** The newest matching items. */
export async function findFirst(search: Search, limit: number, matches: ItemTest): Promise<Found> {
  const items: StoredItem[] = [];
  const searched = await search((known) => {
    if (matches(known)) items.push(known);
    return items.length < limit;
  });
  return { items, searched };
}

/** The later of the two times, at most the current time: with a future time, no item would count as new. */
function latest(before: number | undefined, leftOut: number | undefined): number | undefined {
  if (leftOut === undefined) return before;
  return Math.max(before ?? 0, Math.min(leftOut, Math.floor(Date.now() / 1000)));
}

const details = stored(
  'inbox_items.details_encrypted',
  z.object({
    sender: z.string().optional(),
    createdAt: z.number().optional(),
    expiresAfter: z.string().optional(),
    foundAt: z.number(),
    files: z.array(z.string()),
    filesLeftOut: z.number().optional(),
    downloads: z.array(z.object({ person: z.string(), file: z.string(), at: z.number() })),
    location: z.record(z.string(), z.string()).optional(),
    scans: z
      .array(z.object({ file: z.string(), state: z.enum(['infected', 'not-scanned']), detail: z.string() }))
      .optional(),
  }),
);

export type Scanned = NonNullable<ItemDetails['scans']>[number];
export type ItemDetails = z.infer<typeof details>;

export interface StoredItem {
  item: InboxItem;
  /** The location of the item's post, which it can share with other items; undefined if no post shows it. */
  location: Location | undefined;
  /** When a poll found it, by the database's clock. */
  firstSeen: number;
  /** As text from the database: a Date would lose the microseconds. */
  changedAt: string | undefined;
}

interface Row {
  url: string;
  details_encrypted: string;
  changed_at: string | null;
  gone: boolean;
  first_seen: Date;
  taken_by: string | null;
  taken_at: Date | null;
  done_by: string | null;
  done_at: Date | null;
}

/** Who has taken the item or marked it as done; undefined for an open item. */
function workOf({ taken_by, taken_at, done_by, done_at }: Row): ItemWork | undefined {
  if (taken_by === null && done_by === null) return undefined;
  const markOf = (person: string | null, at: Date | null) =>
    person === null || at === null ? undefined : { person, at };
  return { taken: markOf(taken_by, taken_at), done: markOf(done_by, done_at) };
}

export type Client = Pick<pg.ClientBase, 'query'>;

/** The rows of one workspace and account, which are $1 and $2 in every statement. The details are encrypted. */
export function itemTable({ columnCipher }: Pick<Store, 'columnCipher'>, workspace: string, account: string) {
  const { encrypt, decrypt } = columnCipher('inbox_items', 'details_encrypted');
  const idOf = (url: string) => JSON.stringify([workspace, account, url]);
  const detailsOf = ({ url, details_encrypted }: Row) => details.parse(decrypt(idOf(url), details_encrypted));
  const scope = 'workspace = $1 and account = $2';

  /** Locks the rows with the urls in $3. The order is always the same, so that no two transactions deadlock. */
  const lockedUrls = `select url from dropline.inbox_items where ${scope} and url = any ($3) order by url for update`;

  async function query<T extends pg.QueryResultRow>(client: Client, sql: string, ...values: unknown[]): Promise<T[]> {
    return (await client.query<T>(sql, [workspace, account, ...values])).rows;
  }

  const select = (client: Client, conditionSql: string, ...values: unknown[]) =>
    query<Row>(
      client,
      `select url, details_encrypted, changed_at::text, gone_at is not null as gone, first_seen, taken_by, taken_at, done_by,
         done_at
       from dropline.inbox_items where ${scope} and ${conditionSql}`,
      ...values,
    );

  function itemOf(row: Row): StoredItem {
    const { location, sender, createdAt, expiresAfter, downloads, ...otherDetails } = detailsOf(row);
    const { url, gone: isGone } = row;
    const item = { url, sender, createdAt, expiresAfter, ...otherDetails, downloads, isGone, work: workOf(row) };
    return { item, location, firstSeen: row.first_seen.getTime(), changedAt: row.changed_at ?? undefined };
  }

  const read = async (client: Client, conditionSql: string, ...values: unknown[]): Promise<StoredItem[]> =>
    (await select(client, conditionSql, ...values)).map(itemOf);

  /** Splits the matching rows into batches of bounded size, without reading their details. */
  async function urlBatches(client: Client, conditionSql: string, ...values: unknown[]): Promise<string[][]> {
    const sql = `select url, octet_length(details_encrypted) as bytes from dropline.inbox_items where ${scope} and ${conditionSql}`;
    const rows = await query<{ url: string; bytes: number | null }>(client, sql, ...values);
    return [...batchesBySize(rows)].map((batch) => batch.map(({ url }) => url));
  }

  async function selectInOrder(client: Client, urls: readonly string[]): Promise<Row[]> {
    const byUrl = new Map((await select(client, 'url = any ($3)', urls)).map((row) => [row.url, row]));
    return urls.flatMap((url) => byUrl.get(url) ?? []);
  }

  return {
    scope,
    query,
    /** Only for few rows, because all of them are in memory. */
    read,
    /** Reads any number of rows. A batch has at most `bounds.readBytes`, or one row. */
    async *readBatches(client: Client, conditionSql: string, ...values: unknown[]): AsyncGenerator<StoredItem[]> {
      for (const urls of await urlBatches(client, conditionSql, ...values)) {
        yield (await selectInOrder(client, urls)).map(itemOf);
      }
    },
    /** The newest matching rows. At most `max` of them are read, and about `bounds.searchBytes`. */
    newest:
      (client: Client, conditionSql: string, max: number, ...values: unknown[]): Search =>
      async (visit) => {
        let searched = 0;
        let bytes = 0;
        // Ends after a read of fewer rows than its limit.
        for (let offset = 0; searched === offset; offset += bounds.inboxBatch) {
          const condition = `${conditionSql} order by first_seen desc, url limit ${bounds.inboxBatch} offset ${offset}`;
          for (const urls of await urlBatches(client, condition, ...values)) {
            if (searched >= max || bytes >= bounds.searchBytes) return searched;
            for (const row of await selectInOrder(client, urls)) {
              bytes += row.details_encrypted.length;
              if (!visit(itemOf(row))) return undefined;
            }
            searched += urls.length;
          }
        }
        return undefined;
      },
    /** Call before several changes in one transaction: each change locks only its own rows in order. */
    lock: (client: Client, urls: readonly string[]) => query(client, lockedUrls, urls),
    /**
     * Counting the locked rows locks them all first. A join with them would be simpler, but until Postgres has
     * statistics, it compares every row of the account with every locked one: seconds for a full inbox.
     *
     * @param using SQL of a table `given` with a column `url` to join. $3 has the urls, and the values start at $4.
     */
    change: (
      client: Client,
      urls: readonly string[],
      { set, using }: { set: string; using?: string },
      ...values: unknown[]
    ) =>
      query(
        client,
        `with locked as materialized (${lockedUrls})
         update dropline.inbox_items as item set ${set} ${using === undefined ? '' : `from ${using}`}
         where ${scope} and item.url = any ($3) and (select count(*) from locked) > 0
           ${using === undefined ? '' : 'and item.url = given.url'}`,
        urls,
        ...values,
      ),
    /** Lists sort by `first_seen`, so the items of one poll get times that differ by a microsecond. */
    async insert(client: Client, items: readonly ListedItem[], isNews: (item: ListedItem) => boolean): Promise<void> {
      const foundAt = Date.now();
      const encrypted = items.map(({ url, digest: _, ...otherFields }) =>
        encrypt(idOf(url), { ...otherFields, foundAt, downloads: [] }),
      );
      await query(
        client,
        `insert into dropline.inbox_items
           (workspace, account, url, digest, details_encrypted, first_seen, announced_at, expires_from, expires_after)
         select $1, $2, url, digest, encrypted, now() + number * interval '1 microsecond',
           case when not is_news then now() end, case when is_news then sent end, case when is_news then expires_after end
         from unnest($3::text[], $4::text[], $5::text[], $6::boolean[], $7::float8[], $8::float8[])
           with ordinality as fresh (url, digest, encrypted, is_news, sent, expires_after, number)
         on conflict do nothing`,
        items.map(({ url }) => url),
        items.map(({ digest }) => digest),
        encrypted,
        items.map(isNews),
        items.map((item) => lifetimeOf(item)?.from ?? null),
        items.map((item) => lifetimeOf(item)?.expiresAfter ?? null),
      );
    },
    /** Call in a transaction: several processes can change the same item. Resolves with the number of changed items. */
    async rewrite(
      client: Client,
      urls: readonly string[],
      change: (url: string, before: ItemDetails) => ItemDetails | undefined,
    ): Promise<number> {
      let changedRows = 0;
      for (const batch of await urlBatches(client, 'url = any ($3) order by url for update', urls)) {
        const changed = (await select(client, 'url = any ($3)', batch)).flatMap((row) => {
          const after = change(row.url, detailsOf(row));
          return after === undefined ? [] : [{ url: row.url, encrypted: encrypt(idOf(row.url), after) }];
        });
        await query(
          client,
          `update dropline.inbox_items as item set details_encrypted = after.encrypted
           from unnest($3::text[], $4::text[]) as after (url, encrypted)
           where ${scope} and item.url = any ($3) and item.url = after.url`,
          changed.map(({ url }) => url),
          changed.map(({ encrypted }) => encrypted),
        );
        changedRows += changed.length;
      }
      return changedRows;
    },
  };
}

/** Larger than any date that can be shown. The database calculates with smaller numbers only, so it can't overflow. */
const maxSeconds = 1e12;

/** When the item was created, and after how many units it expires; undefined if the service doesn't send numbers. */
function lifetimeOf({ createdAt, expiresAfter }: ListedItem): { from: number; expiresAfter: number } | undefined {
  const value = Number(expiresAfter ?? Number.NaN);
  const isKnown = createdAt !== undefined && Math.abs(createdAt) < maxSeconds && value > 0 && value < maxSeconds;
  return isKnown ? { from: createdAt, expiresAfter: value } : undefined;
}
