import { bounds } from '../../../lib/bounds.ts';
import { inTransaction, type Store } from '../../../store/index.ts';
import { itemIdOf } from '../../common/ids.ts';
import type { Announced, InboxItem } from '../../common/services.ts';
import { type Client, type FoundRow, itemTable, urlsOf } from '../items/rows.ts';

export type Announcements = ReturnType<typeof announcementsIn>;

/** Reads and writes which items were announced and whether their posts are current, in the table of inbox items. */
export function announcementsIn(store: Pick<Store, 'pool' | 'columnCipher'>, workspace: string, account: string) {
  const { pool } = store;
  const { query, readBatches, readDetails, encryptDetails, findByIds, lock } = itemTable(store, workspace, account);

  /** Marks the items' posts as current, except for items that have changed again. */
  async function markShown(client: Client, items: readonly InboxItem[]): Promise<void> {
    await lock(client, urlsOf(items));
    await query(
      client,
      `update dropline.inbox_items as item set gone_shown = shown.is_gone,
         changed_at = case when item.changed_at::text = shown.changed_at then null else item.changed_at end
       from unnest($3::text[], $4::text[], $5::boolean[]) as shown (url, changed_at, is_gone)
       where workspace = $1 and account = $2 and item.url = any ($3) and item.url = shown.url`,
      urlsOf(items),
      items.map(({ changedAt }) => changedAt ?? null),
      items.map(({ isGone }) => isGone),
    );
  }

  return {
    /** Batches of the items not announced yet, oldest first. */
    async *listWaiting(): AsyncGenerator<InboxItem[]> {
      let after: string | undefined;
      do {
        const found: FoundRow[] = await query<FoundRow>(
          pool,
          `select url, octet_length(details_encrypted) as bytes from dropline.inbox_items
           where workspace = $1 and account = $2 and announced_at is null and ($3::text is null or (first_seen, url) >
             (select first_seen, url from dropline.inbox_items where workspace = $1 and account = $2 and url = $3))
           order by first_seen, url limit $4`,
          after,
          bounds.inboxItems,
        );
        yield* readBatches(pool, found);
        after = found.at(-1)?.url;
      } while (after !== undefined);
    },
    /**
     * Batches of items with outdated posts, `bounds.inboxItems` at most. A disappearance counts only after a pause: the
     * item can come back.
     */
    async *listChanged(gonePauseMs: number): AsyncGenerator<InboxItem[]> {
      const found = await query<FoundRow>(
        pool,
        `select url, octet_length(details_encrypted) as bytes from dropline.inbox_items
         where workspace = $1 and account = $2 and announced_at is not null
           and (changed_at is not null or ((gone_at is not null) <> gone_shown
             and coalesce(gone_at, '-infinity') <= now() - $3 * interval '1 millisecond'))
         order by changed_at, url limit $4`,
        gonePauseMs,
        bounds.inboxItems,
      );
      yield* readBatches(pool, found);
    },
    /** Whether items have disappeared so recently that `listChanged` leaves them out. */
    async areVanishing(gonePauseMs: number): Promise<boolean> {
      const sql = `select from dropline.inbox_items where workspace = $1 and account = $2 and announced_at is not null
        and not gone_shown and gone_at > now() - $3 * interval '1 millisecond' limit 1`;
      return (await query(pool, sql, gonePauseMs)).length > 0;
    },
    /** Counts the current items of a channel that were announced or don't need to be. */
    async countKnown(conversation: string): Promise<number> {
      const sql = `select count(*)::int as many from dropline.inbox_items
        where workspace = $1 and account = $2 and $3 = any (belongs_to) and gone_at is null and announced_at is not null`;
      return (await query<{ many: number }>(pool, sql, conversation))[0]?.many ?? 0;
    },
    /** Batches of announced items of which nobody knows what they belong to, because the account was reconnected. */
    async *listUnassigned(): AsyncGenerator<InboxItem[]> {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const found: FoundRow[] = await query<FoundRow>(
          pool,
          `select url, octet_length(details_encrypted) as bytes from dropline.inbox_items
           where workspace = $1 and account = $2 and belongs_to = '{}' and announced_at is not null and url > $4
           order by url limit $3`,
          bounds.inboxBatch,
          after,
        );
        yield* readBatches(pool, found);
        after = found.at(-1)?.url;
      }
    },
    /** Sets what items belong to, unless they were announced meanwhile. */
    assign: (items: readonly InboxItem[]) =>
      inTransaction(pool, async (client) => {
        await lock(client, urlsOf(items));
        await query(
          client,
          `update dropline.inbox_items as item set belongs_to = string_to_array(assigned.owners, ' ')
           from unnest($3::text[], $4::text[]) as assigned (url, owners)
           where workspace = $1 and account = $2 and item.url = any ($3) and item.url = assigned.url
             and (announced_at is null or belongs_to = '{}')`,
          urlsOf(items),
          items.map(({ belongsTo }) => belongsTo.join(' ')),
        );
      }),
    /** The time by the database's clock, which also sets `firstSeen`. */
    async readDatabaseTime(): Promise<number> {
      return Number((await pool.query<{ now: Date }>('select now()')).rows[0]?.now);
    },
    /**
     * Marks the items of one post. Items that share a post store the ids of all of them, to redraw the post as a whole.
     */
    markAnnounced: (items: readonly InboxItem[], { location, belongsTo }: Announced) =>
      inTransaction(pool, async (client) => {
        const urls = urlsOf(items);
        const post = location && (items.length === 1 ? location : { ...location, items: urls.map(itemIdOf) });
        await lock(client, urls);
        const current = await readDetails(client, urls);
        await query(
          client,
          `update dropline.inbox_items as item
           set details_encrypted = posted.encrypted, announced_at = now(), belongs_to = $5::text[]
           from unnest($3::text[], $4::text[]) as posted (url, encrypted)
           where workspace = $1 and account = $2 and item.url = any ($3) and item.url = posted.url`,
          urlsOf(current),
          current.map(({ url, details }) => encryptDetails(url, { ...details, post })),
          belongsTo,
        );
        await markShown(client, items);
      }),
    /** All items of this item's post, as they are now. */
    async inSamePost({ url, post }: InboxItem): Promise<InboxItem[]> {
      const found = await findByIds(pool, post?.items ?? [itemIdOf(url)]);
      return found.filter((other) => JSON.stringify(other.post) === JSON.stringify(post));
    },
    /** Marks items that a summary announced. None of them is shown in a post. */
    markAnnouncedInSummary: (items: readonly InboxItem[], belongsTo: readonly string[]) =>
      inTransaction(pool, async (client) => {
        await lock(client, urlsOf(items));
        await query(
          client,
          `update dropline.inbox_items set announced_at = now(), belongs_to = $4::text[]
           where workspace = $1 and account = $2 and url = any ($3)`,
          urlsOf(items),
          belongsTo,
        );
      }),
    markShown: (items: readonly InboxItem[]) => inTransaction(pool, (client) => markShown(client, items)),
  };
}
