import type { Store } from '../../../store/index.ts';
import { transferTable } from '../repository.ts';
import type { Transfer } from '../transfer.ts';

type Sender = Pick<Transfer, 'workspace' | 'person'>;

/** Keyed hashes of history entries. The column `entry_hash` links a transfer to its entry in the service's history. */
export function entryHashesIn(store: Pick<Store, 'pool' | 'columnCipher'>) {
  const { pool } = store;
  const { readOne } = transferTable(store);
  return {
    /** The hashes of the entries of a person's transfers. */
    async hashesOfPerson({ workspace, person }: Sender): Promise<Set<string>> {
      const { rows } = await pool.query<{ hash: string }>(
        `select entry_hash as hash from dropline.transfers
         where workspace = $1 and person = $2 and entry_hash is not null`,
        [workspace, person],
      );
      return new Set(rows.map(({ hash }) => hash));
    },
    /** The hashes of these transfers' entries, as far as the entries have been found in the history. */
    async hashesOf(ids: readonly string[]): Promise<Set<string>> {
      const { rows } = await pool.query<{ hash: string }>(
        'select entry_hash as hash from dropline.transfers where id = any ($1) and entry_hash is not null',
        [ids],
      );
      return new Set(rows.map(({ hash }) => hash));
    },
    /** The person's latest transfer with this hash, if its content is still stored. */
    ownWithHash: ({ workspace, person }: Sender, hash: string): Promise<Transfer | undefined> =>
      readOne(
        pool,
        `select * from dropline.transfers
         where workspace = $1 and person = $2 and entry_hash = $3 and content_encrypted is not null
         order by created_at desc limit 1`,
        [workspace, person, hash],
      ),
    /** The id of the latest transfer with this hash, of one person or of all. */
    async idWithHash(workspace: string, hash: string, person: string | undefined): Promise<string | undefined> {
      const { rows } = await pool.query<{ id: string }>(
        `select id from dropline.transfers where workspace = $1 and entry_hash = $2 and ($3::text is null or person = $3)
         order by created_at desc limit 1`,
        [workspace, hash, person],
      );
      return rows[0]?.id;
    },
    /** Whose transfer it is and from which account, also after its content was deleted. @param id untrusted */
    async recorded(workspace: string, id: string): Promise<{ person: string; account: string } | undefined> {
      const { rows } = await pool.query<{ person: string; account: string }>(
        'select person, account from dropline.transfers where workspace = $1 and id::text = $2',
        [workspace, id],
      );
      return rows[0];
    },
    /** Who sent the transfers with these hashes, by hash. */
    async sendersOf(workspace: string, hashes: readonly string[]): Promise<Map<string, string>> {
      const { rows } = await pool.query<{ hash: string; person: string }>(
        'select entry_hash as hash, person from dropline.transfers where workspace = $1 and entry_hash = any ($2)',
        [workspace, hashes],
      );
      return new Map(rows.map(({ hash, person }) => [hash, person]));
    },
    /** How many other transfers of the account each of these hashes belongs to. */
    async countOthers(
      { id, account }: Pick<Transfer, 'id' | 'account'>,
      hashes: readonly string[],
    ): Promise<Map<string, number>> {
      const { rows } = await pool.query<{ hash: string; others: number }>(
        `select entry_hash as hash, count(*)::int as others from dropline.transfers
         where account = $1 and id <> $2 and entry_hash = any ($3) group by entry_hash`,
        [account, id, hashes],
      );
      return new Map(rows.map(({ hash, others }) => [hash, others]));
    },
  };
}
