import { bounds } from '../../../bounds.ts';
import type { Store } from '../../../store/index.ts';
import { isItemId } from '../../common/ids.ts';
import type { ItemWork } from '../../common/services.ts';
import { type Client, itemTable, type StoredItem } from '../items/repository.ts';

/** `open`: not taken and not done. `mine`: taken by the person and not done, also if the files are gone. */
export const workFilters = ['open', 'done', 'mine'] as const;
export type WorkFilter = (typeof workFilters)[number];

const conditions: Record<WorkFilter, string> = {
  open: 'gone_at is null and taken_by is null and done_at is null',
  mine: 'taken_by = $3 and done_at is null',
  done: 'gone_at is null and done_at is not null',
};

/** Reads and writes who takes care of the items of a workspace, in the table of inbox items. */
export function workIn(store: Pick<Store, 'pool' | 'columnCipher'>, workspace: string, account: string) {
  const { scope, query, read, newest } = itemTable(store, workspace, account);
  const find = async (client: Client, id: string, lock = ''): Promise<StoredItem | undefined> =>
    isItemId(id) ? (await read(client, `dropline.inbox_item_id(url) = $3 ${lock}`, id))[0] : undefined;
  return {
    find: (id: string) => find(store.pool, id),
    /** Locks the item until the end of the transaction, so that only one of several clicks counts. */
    lock: (client: Client, id: string) => find(client, id, 'for update'),
    /** Saves who takes care of the item, and marks its post as outdated. */
    async save(client: Client, url: string, { taken, done }: ItemWork): Promise<void> {
      await query(
        client,
        `update dropline.inbox_items set taken_by = $4, taken_at = $5, done_by = $6, done_at = $7,
           changed_at = clock_timestamp() where ${scope} and url = $3`,
        url,
        taken?.person,
        taken?.at,
        done?.person,
        done?.at,
      );
    },
    search: (filter: WorkFilter, person: string) =>
      newest(store.pool, conditions[filter], bounds.inboxItems, ...(filter === 'mine' ? [person] : [])),
    async countTaken(person: string): Promise<number> {
      const sql = `select count(*)::int as many from dropline.inbox_items where ${scope} and ${conditions.mine}`;
      return (await query<{ many: number }>(store.pool, sql, person))[0]?.many ?? 0;
    },
  };
}
