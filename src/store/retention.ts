import type pg from 'pg';
import { type Batches, inBatches } from './batches.ts';

const transferDays = 400;
const olderThan = (column: string, days: number) => `${column} < now() - interval '${days} days'`;

/** No workspace uses the row's account. As long as one does, it still needs the row. */
const isFormer = (table: string) => `not exists (select from dropline.polls where account = ${table}.account)`;

/** Visits each account once, by an index: comparing every item with the polls would read the whole table. */
const formerAccounts = `with recursive accounts as (
    (select workspace, account from dropline.inbox_items where gone_at is null order by workspace, account limit 1)
    union all
    select next.* from accounts, lateral (
      select workspace, account from dropline.inbox_items where gone_at is null
        and (workspace, account) > (accounts.workspace, accounts.account) order by workspace, account limit 1
    ) next
  ) select workspace, account from accounts except select workspace, account from dropline.polls`;

/** Without the audit: chain.ts removes its oldest entries. */
const rules = {
  keyv: { table: 'keyv', where: 'expires_at < now()' },
  // The content of a transfer is deleted after 30 days. Its row says whose it was.
  transfer_content: {
    table: 'transfers',
    where: `content_encrypted is not null and ${olderThan('ended_at', 30)}`,
    statement: `update dropline.transfers set content_encrypted = null, progress_encrypted = null,
      approval_encrypted = null, locations_encrypted = null, answers_encrypted = null from batch`,
  },
  transfers: { table: 'transfers', where: olderThan('ended_at', transferDays) },
  // Edits that were requested and never made. The ages are those in features/contacts/edit/repository.ts.
  contact_requests: {
    table: 'contact_edits',
    where: `change_encrypted is not null and before_encrypted is null and ${olderThan('created_at', 7)}`,
  },
  contact_changes: {
    table: 'contact_edits',
    where: `change_encrypted is not null and ${olderThan('created_at', 7)}`,
    statement: 'update dropline.contact_edits set change_encrypted = null from batch',
  },
  contact_texts: {
    table: 'contact_edits',
    where: `(origin_encrypted is not null or report_encrypted is not null) and ${olderThan('created_at', 1)}`,
    statement: 'update dropline.contact_edits set origin_encrypted = null, report_encrypted = null from batch',
  },
  contact_edits: { table: 'contact_edits', where: olderThan('reconciled_at', 30) },
  // Unfinished edits and leftover uploads of an account that is no longer connected: nothing will finish or remove
  // them.
  former_edits: {
    table: 'contact_edits',
    where: `reconciled_at is null and ${olderThan('created_at', 90)} and ${isFormer('contact_edits')}`,
  },
  former_uploads: { table: 'uploads', where: `${olderThan('created_at', 90)} and ${isFormer('uploads')}` },
  // Items of an account that the workspace no longer polls count as gone. A reconnect finds them for 90 days.
  former_items: {
    table: 'inbox_items',
    where: `gone_at is null and (workspace, account) in (${formerAccounts})`,
    statement: 'update dropline.inbox_items set gone_at = now() from batch',
  },
  inbox_items: { table: 'inbox_items', where: olderThan('gone_at', 90) },
};

/**
 * Deletes expired rows and the expired texts of other rows; resolves with the number of rows per rule. If a rule fails,
 * the others still run, and then this rejects.
 */
export async function sweep(pool: pg.Pool, batches?: Batches): Promise<Record<string, number>> {
  const swept: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const [kind, rule] of Object.entries(rules)) {
    try {
      swept[kind] = await inBatches(pool, rule, batches);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} retention rules failed`);
  return swept;
}
