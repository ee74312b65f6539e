import { bounds } from '../../../../bounds.ts';
import type { Store } from '../../../../store/index.ts';
import { type Transfer, transferTable } from '../../repository.ts';

type Account = Pick<Transfer, 'workspace' | 'account'>;

/** The queries on the table of transfers that only requests need. */
export function requestsIn(store: Pick<Store, 'pool' | 'columnCipher'>) {
  const { pool } = store;
  const { selectEachWithDetails } = transferTable(store);
  return {
    /**
     * Requests that contacts can still answer: those of the last 30 days, because the expiry unit can be unknown.
     * Includes requests that haven't ended, because contacts can answer before the end is stored. Newest first.
     */
    answerable: ({ workspace, account }: Account) =>
      selectEachWithDetails(
        pool,
        `workspace = $1 and account = $2 and kind = 'request' and state in ('committing', 'sent', 'unknown')
           and coalesce(ended_at, now()) > now() - interval '30 days' and details_encrypted is not null
         order by created_at desc`,
        [workspace, account],
      ),
    /**
     * Requests that need a reminder, `bounds.reminders` at most: they expire within the lead time, or are in the second
     * half of their lifetime if that is shorter. Includes requests that were answered. Excludes those from before
     * reminders existed.
     */
    expiring: (
      { workspace, account }: Account,
      { unitSeconds, leadSeconds }: { unitSeconds: number; leadSeconds: number },
    ) =>
      selectEachWithDetails(
        pool,
        `workspace = $1 and account = $2 and expires_after is not null and reminded_at is null
           and state = 'sent' and details_encrypted is not null
           and extract(epoch from now() - ended_at) >= expires_after * $3 - least($4, expires_after * $3 / 2)
           and extract(epoch from now() - ended_at) < expires_after * $3
         order by ended_at limit ${bounds.reminders}`,
        [workspace, account, unitSeconds, leadSeconds],
      ),
    /** Excludes a request from later reminders, whether one was sent or not. */
    async markReminded(id: string): Promise<void> {
      await pool.query('update dropline.transfers set reminded_at = now() where id = $1', [id]);
    },
    /** Workspaces with requests that could need a reminder. */
    async workspacesWithExpiring(): Promise<string[]> {
      const { rows } = await pool.query<{ workspace: string }>(
        `select distinct workspace from dropline.transfers
         where expires_after is not null and reminded_at is null and state = 'sent' and details_encrypted is not null`,
      );
      return rows.map(({ workspace }) => workspace);
    },
  };
}
