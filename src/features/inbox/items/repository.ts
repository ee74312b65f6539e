import { bounds } from '../../../lib/bounds.ts';
import type { Store } from '../../../store/index.ts';
import type { InboxItem } from '../../common/services.ts';
import { type Client, type FoundRow, type ItemDetails, itemTable, type Scanned, urlsOf } from './rows.ts';

/**
 * Repository of a workspace's inbox items, current and past. `sync.ts` records what the service lists, `seen.ts` has the
 * lists that people see. The repositories of `announce`, `reminders` and `work` use other columns of the same table.
 */
export function itemsIn(store: Pick<Store, 'pool' | 'columnCipher'>, workspace: string, account: string) {
  const { pool } = store;
  const { query, read, readDetails, encryptDetails, findByIds, lock } = itemTable(store, workspace, account);

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

/** Those of these accounts that have items with these ids. @param ids untrusted */
export async function accountsOfItems(
  { pool }: Pick<Store, 'pool'>,
  workspace: string,
  accounts: readonly string[],
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await pool.query<{ account: string }>(
    `select distinct account from dropline.inbox_items
     where workspace = $1 and account = any ($2) and dropline.inbox_item_id(url) = any ($3)`,
    [workspace, accounts, ids],
  );
  return rows.map(({ account }) => account);
}
