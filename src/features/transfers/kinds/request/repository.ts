import { bounds } from '../../../../bounds.ts';
import type { Store } from '../../../../store/index.ts';
import { hasDetails, type OpenTransfer, type Transfer, transferTable } from '../../repository.ts';

type Account = Pick<Transfer, 'workspace' | 'account'>;

/** Queries of the table of transfers that only requests need. */
export function requestsIn(store: Pick<Store, 'pool' | 'columnCipher'>) {
  const { pool } = store;
  const { select } = transferTable(store);
  return {
    /**
     * Requests that contacts can still answer: those of the last 30 days, because the unit of a time to live is unknown.
     * Includes requests that haven't ended, because contacts can answer before the end is stored. Newest first.
     */
    async answerable({ workspace, account }: Account): Promise<OpenTransfer[]> {
      const found = await select(
        pool,
        `workspace = $1 and account = $2 and kind = 'grant' and state in ('committing', 'sent', 'unknown')
           and coalesce(ended_at, now()) > now() - interval '30 days' and details_sealed is not null
         order by created_at desc`,
        [workspace, account],
      );
      return found.filter(hasDetails);
    },
    /**
     * A batch of requests to remind the requester of: they lapse within the lead time, or within the second half of their
     * life if that is shorter. Includes requests that were answered. Excludes those from before reminders existed.
     */
    async lapsing(
      { workspace, account }: Account,
      { unitSeconds, leadSeconds }: { unitSeconds: number; leadSeconds: number },
    ): Promise<OpenTransfer[]> {
      const found = await select(
        pool,
        `workspace = $1 and account = $2 and expiry_ttl is not null and reminded_at is null
           and state = 'sent' and details_sealed is not null
           and extract(epoch from now() - ended_at) >= expiry_ttl * $3 - least($4, expiry_ttl * $3 / 2)
           and extract(epoch from now() - ended_at) < expiry_ttl * $3
         order by ended_at limit ${bounds.reminders}`,
        [workspace, account, unitSeconds, leadSeconds],
      );
      return found.filter(hasDetails);
    },
    /** Ends the reminder of a request, whether it was sent or not. */
    async markReminded(id: string): Promise<void> {
      await pool.query('update dropline.dispatches set reminded_at = now() where id = $1', [id]);
    },
    /** Workspaces with requests that their requesters could have to be reminded of. */
    async workspacesWithLapsing(): Promise<string[]> {
      const { rows } = await pool.query<{ workspace: string }>(
        `select distinct workspace from dropline.dispatches
         where expiry_ttl is not null and reminded_at is null and state = 'sent' and details_sealed is not null`,
      );
      return rows.map(({ workspace }) => workspace);
    },
  };
}
