import type pg from 'pg';
import { z } from 'zod';
import { bounds } from '../../../lib/bounds.ts';
import { digest } from '../../../lib/hashed.ts';
import { stored } from '../../../lib/stored-formats.ts';
import { batchesBySize, type Store } from '../../../store/index.ts';
import type { InboxItem, ItemWork } from '../../common/services.ts';
import type { Search } from './search.ts';

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
