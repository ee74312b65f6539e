import type pg from 'pg';
import { bounds } from '../../../lib/bounds.ts';
import type { Store } from '../../../store/index.ts';
import { transferTable } from '../repository.ts';
import type { FileRequest, RequestAnswers } from '../transfer.ts';

type Account = Pick<FileRequest, 'workspace' | 'account'>;

/** The queries on the table of transfers that only requests need. */
export function requestsIn(store: Pick<Store, 'pool' | 'columnCipher'>) {
  const { pool } = store;
  const { readEach, updatePart } = transferTable(store);
  return {
    /** Changes what came of a request. Also works after its end. `within`: the client of a transaction. */
    updateAnswers: (
      id: string,
      change: (request: FileRequest) => Partial<RequestAnswers> | undefined,
      within?: pg.PoolClient,
    ): Promise<void> =>
      updatePart(
        within,
        id,
        'answers',
        (request) => {
          const { answers, ticks, askedAgain } = request;
          const changes = change(request);
          return changes && { answers, ticks, askedAgain, ...changes };
        },
        'request',
      ),
    /**
     * Requests that contacts can still answer: those of the last 30 days, because the expiry unit can be unknown.
     * Includes requests that haven't ended, because contacts can answer before the end is stored. Newest first.
     */
    answerable: ({ workspace, account }: Account) =>
      readEach<FileRequest>(
        pool,
        `select id, bytes from dropline.transfers
         where workspace = $1 and account = $2 and kind = 'request' and state in ('committing', 'sent', 'unknown')
           and coalesce(ended_at, now()) > now() - interval '30 days' and content_encrypted is not null
         order by created_at desc`,
        [workspace, account],
      ),
    /**
     * Requests that need a reminder, `bounds.reminders` at most: they expire within the lead time, or are in the second
     * half of their lifetime if that is shorter. Includes requests that were answered.
     */
    expiring: (
      { workspace, account }: Account,
      { unitSeconds, leadSeconds }: { unitSeconds: number; leadSeconds: number },
    ) =>
      readEach<FileRequest>(
        pool,
        `select id, bytes from dropline.transfers
         where workspace = $1 and account = $2 and kind = 'request' and reminded_at is null
           and state = 'sent' and content_encrypted is not null
           and extract(epoch from now() - ended_at) >= expires_after * $3 - least($4, expires_after * $3 / 2)
           and extract(epoch from now() - ended_at) < expires_after * $3
         order by ended_at limit $5`,
        [workspace, account, unitSeconds, leadSeconds, bounds.reminders],
      ),
    /** Excludes a request from later reminders, whether one was sent or not. */
    async markReminded(id: string): Promise<void> {
      await pool.query('update dropline.transfers set reminded_at = now() where id = $1', [id]);
    },
    /** Accounts with requests that could need a reminder. */
    async desksWithExpiring(): Promise<Account[]> {
      const { rows } = await pool.query<Account>(
        `select distinct workspace, account from dropline.transfers
         where kind = 'request' and reminded_at is null and state = 'sent' and content_encrypted is not null`,
      );
      return rows;
    },
  };
}
