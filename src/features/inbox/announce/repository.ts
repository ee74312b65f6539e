import { bounds } from '../../../bounds.ts';
import { inTransaction, type Store } from '../../../store/index.ts';
import { itemIdOf } from '../../common/ids.ts';
import type { Location } from '../../common/services.ts';
import { type Client, itemTable, type StoredItem } from '../items/repository.ts';

export type Announcements = ReturnType<typeof announcementsIn>;

/** Reads and writes which items were announced and whether their posts are current, in the table of inbox items. */
export function announcementsIn(store: Pick<Store, 'pool' | 'columnCipher'>, workspace: string, account: string) {
  const { pool } = store;
  const { scope, query, read, readBatches, change, rewrite } = itemTable(store, workspace, account);
  return {
    /** Batches of the items not announced yet, oldest first. */
    async *listWaiting(): AsyncGenerator<StoredItem[]> {
      let after: string | undefined;
      do {
        const waiting = readBatches(
          pool,
          `announced_at is null and ($3::text is null
             or (first_seen, url) > (select first_seen, url from dropline.inbox_items where ${scope} and url = $3))
           order by first_seen, url limit ${bounds.inboxItems}`,
          after,
        );
        after = undefined;
        for await (const batch of waiting) {
          after = batch.at(-1)?.item.url;
          yield batch;
        }
      } while (after !== undefined);
    },
    /**
     * Batches of items with outdated posts, `bounds.inboxItems` at most. A disappearance counts only after a pause: the
     * item can come back.
     */
    listChanged: (gonePauseMs: number) =>
      readBatches(
        pool,
        `announced_at is not null and (changed_at is not null or ((gone_at is not null) <> gone_shown
           and coalesce(gone_at, '-infinity') <= now() - $3 * interval '1 millisecond'))
         order by changed_at, url limit ${bounds.inboxItems}`,
        gonePauseMs,
      ),
    /** Whether items have disappeared so recently that `listChanged` leaves them out. */
    async areVanishing(gonePauseMs: number): Promise<boolean> {
      const sql = `select from dropline.inbox_items where ${scope} and announced_at is not null and not gone_shown
        and gone_at > now() - $3 * interval '1 millisecond' limit 1`;
      return (await query(pool, sql, gonePauseMs)).length > 0;
    },
    /** Counts the current items that were announced or don't need to be. */
    async countKnown(): Promise<number> {
      const sql = `select count(*)::int as many from dropline.inbox_items
        where ${scope} and gone_at is null and announced_at is not null`;
      return (await query<{ many: number }>(pool, sql))[0]?.many ?? 0;
    },
    /** The time by the database's clock, which also sets `firstSeen`. */
    async readDatabaseTime(): Promise<number> {
      return Number((await pool.query<{ now: Date }>('select now()')).rows[0]?.now);
    },
    /**
     * Marks the items of one post. Items that share a post store the ids of all of them, to redraw the post as a whole.
     */
    markAnnounced: (known: readonly StoredItem[], location: Location) =>
      inTransaction(pool, async (client) => {
        const urls = known.map(({ item }) => item.url);
        const postLocation = known.length === 1 ? location : { ...location, items: urls.map(itemIdOf).join(' ') };
        await rewrite(client, urls, (_, before) => ({ ...before, location: postLocation }));
        await change(client, urls, { set: 'announced_at = now()' });
        await markShown(client, known);
      }),
    /** All items of this item's post, as they are now. */
    async inSamePost({ item, location }: StoredItem): Promise<StoredItem[]> {
      const ids = location?.items?.split(' ') ?? [itemIdOf(item.url)];
      const found = await read(pool, 'dropline.inbox_item_id(url) = any ($3) order by first_seen, url', ids);
      const post = JSON.stringify(location);
      return found.filter((other) => JSON.stringify(other.location) === post);
    },
    /** Marks items that a summary announced. None of them is shown in a post. */
    async markAnnouncedInSummary(known: readonly StoredItem[]): Promise<void> {
      const urls = known.map(({ item }) => item.url);
      await change(pool, urls, { set: 'announced_at = now()' });
    },
    markShown: (known: readonly StoredItem[]) => markShown(pool, known),
  };

  /** Marks the items' posts as current, except for items that have changed again. */
  async function markShown(client: Client, known: readonly StoredItem[]): Promise<void> {
    if (known.length === 0) return;
    await change(
      client,
      known.map(({ item }) => item.url),
      {
        set: 'gone_shown = given.gone, changed_at = case when changed_at::text = given.at then null else changed_at end',
        using: 'unnest($3::text[], $4::text[], $5::boolean[]) as given (url, at, gone)',
      },
      known.map(({ changedAt }) => changedAt ?? null),
      known.map(({ item }) => item.isGone),
    );
  }
}
