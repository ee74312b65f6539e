import type pg from 'pg';
import { purgeOwner } from './drawers.ts';

/** Polls first: a poll that is under way then writes nothing any more, or has written before the items are removed. */
const tables = ['polls', 'audit', 'dispatches', 'uploads', 'inbox_items', 'contact_images'];

/**
 * Forgets what a workspace has done here: its drawers and its rows in every ledger. May be called twice. The installation
 * of the app is not among it: it goes at once when Slack says so, and by now there may be another.
 */
export async function purgeWorkspace(pool: pg.Pool, workspace: string): Promise<void> {
  for (const table of tables) await pool.query(`delete from dropline.${table} where workspace = $1`, [workspace]);
  await purgeOwner(pool, workspace, ['installation']);
}
