import type { Store } from '../../../store/index.ts';
import { hasDetails, type OpenTransfer, type Transfer, transferTable } from '../repository.ts';

type Sender = Pick<Transfer, 'workspace' | 'person'>;

/** The marks of history entries: the table of transfers has the mark of the entry that each transfer has become. */
export function entryMarksIn(store: Pick<Store, 'pool' | 'columnCipher'>) {
  const { pool } = store;
  const { select } = transferTable(store);

  async function marksWhere(condition: string, values: readonly unknown[]): Promise<Set<string>> {
    const { rows } = await pool.query<{ mark: string }>(
      `select entry_mark as mark from dropline.dispatches where ${condition} and entry_mark is not null`,
      [...values],
    );
    return new Set(rows.map(({ mark }) => mark));
  }

  return {
    /** The marks of what a person has sent. */
    marksOfPerson: ({ workspace, person }: Sender) => marksWhere('workspace = $1 and person = $2', [workspace, person]),
    /** The marks of these transfers, as far as the history has shown them. */
    marksOf: (ids: readonly string[]) => marksWhere('id = any ($1)', [ids]),
    /** The person's latest transfer with this mark, if its details are still stored. */
    async ownWithMark({ workspace, person }: Sender, mark: string): Promise<OpenTransfer | undefined> {
      const condition = `workspace = $1 and person = $2 and entry_mark = $3 and details_sealed is not null
         order by created_at desc limit 1`;
      return (await select(pool, condition, [workspace, person, mark])).find(hasDetails);
    },
    /** Who sent the transfers with these marks, by mark. */
    async sendersOf(workspace: string, marks: readonly string[]): Promise<Map<string, string>> {
      const { rows } = await pool.query<{ mark: string; person: string }>(
        'select entry_mark as mark, person from dropline.dispatches where workspace = $1 and entry_mark = any ($2)',
        [workspace, marks],
      );
      return new Map(rows.map(({ mark, person }) => [mark, person]));
    },
    /** How many other transfers of the account each of these marks belongs to. */
    async countOthers(
      { id, account }: Pick<Transfer, 'id' | 'account'>,
      marks: readonly string[],
    ): Promise<Map<string, number>> {
      const { rows } = await pool.query<{ mark: string; others: number }>(
        `select entry_mark as mark, count(*)::int as others from dropline.dispatches
         where account = $1 and id <> $2 and entry_mark = any ($3) group by entry_mark`,
        [account, id, marks],
      );
      return new Map(rows.map(({ mark, others }) => [mark, others]));
    },
  };
}
