import { bounds } from '../../../lib/bounds.ts';
import type { Store } from '../../../store/index.ts';
import { isItemId } from '../../common/ids.ts';
import type { InboxItem, ItemWork } from '../../common/services.ts';
import { type Client, type FoundRow, itemTable, type WorkFilter } from '../items/repository.ts';

/** $3 is the limit, $4 the offset, and $5 the person. */
const searches: Record<WorkFilter, string> = {
  open: `select url, octet_length(details_encrypted) as bytes from dropline.inbox_items
    where workspace = $1 and account = $2 and gone_at is null and taken_by is null and done_at is null
    order by first_seen desc, url limit $3 offset $4`,
  done: `select url, octet_length(details_encrypted) as bytes from dropline.inbox_items
    where workspace = $1 and account = $2 and gone_at is null and done_at is not null
    order by first_seen desc, url limit $3 offset $4`,
  mine: `select url, octet_length(details_encrypted) as bytes from dropline.inbox_items
    where workspace = $1 and account = $2 and taken_by = $5 and done_at is null
    order by first_seen desc, url limit $3 offset $4`,
};

/** Reads and writes who takes care of the items of a workspace, in the table of inbox items. */
export function workIn(store: Pick<Store, 'pool' | 'columnCipher'>, workspace: string, account: string) {
  const { pool } = store;
  const { query, read, searchWith } = itemTable(store, workspace, account);
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
    search: (filter: WorkFilter, person: string) =>
      searchWith(pool, bounds.inboxItems, (limit, offset) =>
        query<FoundRow>(pool, searches[filter], limit, offset, ...(filter === 'mine' ? [person] : [])),
      ),
    async countTaken(person: string): Promise<number> {
      const sql = `select count(*)::int as many from dropline.inbox_items
        where workspace = $1 and account = $2 and taken_by = $3 and done_at is null`;
      return (await query<{ many: number }>(pool, sql, person))[0]?.many ?? 0;
    },
  };
}
