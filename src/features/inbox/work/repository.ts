import { bounds } from '../../../lib/bounds.ts';
import type { Store } from '../../../store/index.ts';
import { isItemId } from '../../common/ids.ts';
import type { InboxItem, ItemWork } from '../../common/services.ts';
import { type Client, type FoundRow, itemTable } from '../items/rows.ts';
import type { WorkFilter } from '../items/search.ts';
import type { Viewer } from '../items/seen.ts';

/** $3 is the limit, $4 the offset, $5 what the reader sees, and $6 the person. */
const searches: Record<WorkFilter, string> = {
  open: `select url, octet_length(details_encrypted) as bytes from dropline.inbox_items
    where workspace = $1 and account = $2 and belongs_to && $5::text[] and gone_at is null and taken_by is null and done_at is null
    order by first_seen desc, url limit $3 offset $4`,
  done: `select url, octet_length(details_encrypted) as bytes from dropline.inbox_items
    where workspace = $1 and account = $2 and belongs_to && $5::text[] and gone_at is null and done_at is not null
    order by first_seen desc, url limit $3 offset $4`,
  mine: `select url, octet_length(details_encrypted) as bytes from dropline.inbox_items
    where workspace = $1 and account = $2 and belongs_to && $5::text[] and taken_by = $6 and done_at is null
    order by first_seen desc, url limit $3 offset $4`,
};

/** Reads and writes who takes care of the items of a workspace, in the table of inbox items. */
export function workIn(store: Pick<Store, 'pool' | 'columnCipher'>, workspace: string, account: string) {
  const { query, read } = itemTable(store, workspace, account);
  return {
    /** Locks the item until the end of the transaction, so that only one of several clicks counts. */
    async lock(client: Client, id: string): Promise<InboxItem | undefined> {
      if (!isItemId(id)) return undefined;
      const sql = `select url from dropline.inbox_items
        where workspace = $1 and account = $2 and dropline.inbox_item_id(url) = $3 for update`;
      return (await read(client, await query<FoundRow>(client, sql, id)))[0];
    },
    /** Saves who takes care of the item, and marks its post as outdated. */
    async save(client: Client, url: string, { taken, done }: ItemWork): Promise<void> {
      await query(
        client,
        `update dropline.inbox_items
         set taken_by = $4, taken_at = $5, done_by = $6, done_at = $7, changed_at = clock_timestamp()
         where workspace = $1 and account = $2 and url = $3`,
        url,
        taken?.person,
        taken?.at,
        done?.person,
        done?.at,
      );
    },
  };
}

/** The items with Take and Done that a person sees. */
export function workSeenBy(store: Pick<Store, 'pool' | 'columnCipher'>, viewer: Viewer) {
  const { pool } = store;
  const { owners, person } = viewer;
  const { query, searchWith } = itemTable(store, viewer.workspace, viewer.account);
  return {
    search: (filter: WorkFilter) =>
      searchWith(pool, bounds.inboxItems, (limit, offset) =>
        query<FoundRow>(pool, searches[filter], limit, offset, owners, ...(filter === 'mine' ? [person] : [])),
      ),
    /** How many items the person has taken. */
    async countTaken(): Promise<number> {
      const sql = `select count(*)::int as many from dropline.inbox_items
        where workspace = $1 and account = $2 and belongs_to && $3::text[] and taken_by = $4 and done_at is null`;
      return (await query<{ many: number }>(pool, sql, owners, person))[0]?.many ?? 0;
    },
  };
}
