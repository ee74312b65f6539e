import { bounds } from '../../../lib/bounds.ts';
import type { Store } from '../../../store/index.ts';
import type { InboxItem } from '../../common/services.ts';
import { type FoundRow, itemTable } from './rows.ts';
import { type Found, findFirst, type ItemPage, type ItemTest, pageOf } from './search.ts';

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
