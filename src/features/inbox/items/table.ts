import type pg from 'pg';
import { z } from 'zod';
import type { Store } from '../../../store/index.ts';
import { stored } from '../../../stored-formats.ts';
import type { InboxItem, Location } from '../../common/services.ts';
import type { ListedItem } from '../poll/listed.ts';

const details = stored(
  'inbox_items.details_sealed',
  z.object({
    sender: z.string().optional(),
    createdAt: z.number().optional(),
    ttl: z.string().optional(),
    files: z.array(z.string()),
    filesLeftOut: z.number().optional(),
    taken: z.array(z.object({ person: z.string(), file: z.string(), at: z.number() })).default([]),
    place: z.record(z.string(), z.string()).optional(),
  }),
);
export type ItemDetails = z.infer<typeof details>;

export interface KnownItem {
  item: InboxItem;
  /** The location of the item's own post; undefined if one message announced several items. */
  location: Location | undefined;
  /** As text from the database: a Date would lose the microseconds. */
  changedAt: string | undefined;
}

interface Row {
  url: string;
  details_sealed: string;
  changed_at: string | null;
  gone: boolean;
}

export type Client = Pick<pg.ClientBase, 'query'>;

/** The rows of one workspace and account, which are $1 and $2 in every statement. The details are encrypted. */
export function itemTable({ columnCipher }: Pick<Store, 'columnCipher'>, workspace: string, account: string) {
  const { encrypt, decrypt } = columnCipher('inbox_items', 'details_sealed');
  const idOf = (url: string) => JSON.stringify([workspace, account, url]);
  const detailsOf = ({ url, details_sealed }: Row) => details.parse(decrypt(idOf(url), details_sealed));
  const scope = 'workspace = $1 and account = $2';

  async function query<T extends pg.QueryResultRow>(client: Client, sql: string, ...values: unknown[]): Promise<T[]> {
    return (await client.query<T>(sql, [workspace, account, ...values])).rows;
  }

  const select = (client: Client, rest: string, ...values: unknown[]) =>
    query<Row>(
      client,
      `select url, details_sealed, changed_at::text, gone_at is not null as gone
       from dropline.inbox_items where ${scope} and ${rest}`,
      ...values,
    );

  return {
    scope,
    query,
    async read(client: Client, rest: string, ...values: unknown[]): Promise<KnownItem[]> {
      return (await select(client, rest, ...values)).map((row) => {
        const { place: location, sender, createdAt, ttl, files, filesLeftOut, taken: downloads } = detailsOf(row);
        const item = { url: row.url, sender, createdAt, ttl, files, filesLeftOut, downloads, isGone: row.gone };
        return { item, location, changedAt: row.changed_at ?? undefined };
      });
    },
    /** Lists sort by `first_seen`, so the items of one poll get times that differ by a microsecond. */
    async insert(client: Client, items: readonly ListedItem[], isNews: (item: ListedItem) => boolean): Promise<void> {
      const encrypted = items.map(({ url, digest: _, ...rest }) => encrypt(idOf(url), { ...rest, taken: [] }));
      await query(
        client,
        `insert into dropline.inbox_items (workspace, account, url, digest, details_sealed, first_seen, announced_at)
         select $1, $2, url, digest, encrypted, now() + number * interval '1 microsecond', case when not is_news then now() end
         from unnest($3::text[], $4::text[], $5::text[], $6::boolean[])
           with ordinality as fresh (url, digest, encrypted, is_news, number)
         on conflict do nothing`,
        items.map(({ url }) => url),
        items.map(({ digest }) => digest),
        encrypted,
        items.map(isNews),
      );
    },
    /** Call in a transaction: several processes can change the same item. Resolves with the number of changed items. */
    async rewrite(
      client: Client,
      urls: readonly string[],
      change: (url: string, before: ItemDetails) => ItemDetails | undefined,
    ): Promise<number> {
      const rows = await select(client, 'url = any ($3) order by url for update', urls);
      const changed = rows.flatMap((row) => {
        const after = change(row.url, detailsOf(row));
        return after === undefined ? [] : [{ url: row.url, encrypted: encrypt(idOf(row.url), after) }];
      });
      if (changed.length === 0) return 0;
      await query(
        client,
        `update dropline.inbox_items as item set details_sealed = after.encrypted
         from unnest($3::text[], $4::text[]) as after (url, encrypted) where ${scope} and item.url = after.url`,
        changed.map(({ url }) => url),
        changed.map(({ encrypted }) => encrypted),
      );
      return changed.length;
    },
  };
}
