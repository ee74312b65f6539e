import type pg from 'pg';
import { type Batches, inBatches } from './batches.ts';
import { purgeOwner } from './drawers.ts';

/** Polls first: a poll that is under way then writes nothing any more, or has written before the items are removed. */
const tables = ['polls', 'audit', 'dispatches', 'uploads', 'inbox_items', 'contact_images'];

const all: Batches = { rows: 5_000, most: Number.POSITIVE_INFINITY };

/**
 * Forgets what a workspace has done here: its drawers and its rows in every ledger. May be called twice. The installation
 * of the app is not among it: it goes at once when Slack says so, and by now there may be another.
 */
export async function purgeWorkspace(pool: pg.Pool, workspace: string, batches: Batches = all): Promise<void> {
  const values = [workspace];
  for (const table of tables) {
    const where = 'workspace = $1';
    await inBatches(pool, { table, where, values }, batches);
    // What somebody was changing.
    await pool.query(`delete from dropline.${table} where ${where}`, values);
  }
  await purgeOwner(pool, workspace, ['installation']);
}
