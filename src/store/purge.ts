import type pg from 'pg';
import { type Batches, inBatches } from './batches.ts';
import { accountKey, purgeNamed, purgeOwner } from './collections.ts';
import type { Desk } from './credentials.ts';

/**
 * `polls` comes first: a poll in progress either has written its items, which are then deleted too, or writes none. `chains`
 * comes after `audit`: entries that are chained at that moment are deleted together with their chain.
 */
const tables = ['polls', 'audit', 'chains', 'transfers', 'uploads', 'inbox_items', 'contact_edits', 'pauses'];
const accountTables = tables.filter((table) => table !== 'audit' && table !== 'chains');

const unlimited: Batches = { rows: 5_000, maxStatements: Number.POSITIVE_INFINITY };

/** Deletes what belongs to one of several accounts of a workspace. Idempotent. Its credentials are deleted last. */
export async function purgeAccount(pool: pg.Pool, { workspace, account }: Required<Desk>): Promise<void> {
  const values = [workspace, account];
  const where = 'workspace = $1 and account = $2';
  for (const table of accountTables) {
    await inBatches(pool, { table, where, values }, unlimited);
    await pool.query(`delete from dropline.${table} where ${where}`, values);
  }
  await pool.query(`update dropline.holds set workspace = '' where ${where}`, values);
  await purgeNamed(pool, ['account-settings', 'credentials'], workspace, accountKey(account));
}

/**
 * Deletes a workspace's collections and its rows in every table with a workspace column. Idempotent. Keeps the app's
 * installation: the old one was deleted when Slack reported the uninstall, and by now there can be a new one.
 *
 * @param kept tables and collections that stay too
 */
export async function purgeWorkspace(
  pool: pg.Pool,
  workspace: string,
  kept: readonly string[] = [],
  batches: Batches = unlimited,
): Promise<void> {
  const values = [workspace];
  for (const table of tables.filter((name) => !kept.includes(name))) {
    const where = 'workspace = $1';
    await inBatches(pool, { table, where, values }, batches);
    // Deletes the rows that the batches skipped because they were locked.
    await pool.query(`delete from dropline.${table} where ${where}`, values);
  }
  // A hold outlives the workspace: the account must not be used again before an admin has checked it.
  await pool.query(`update dropline.holds set workspace = '' where workspace = $1`, values);
  await purgeOwner(pool, workspace, ['installation', ...kept]);
}
