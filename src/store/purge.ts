import type pg from 'pg';
import { type Batches, inBatches } from './batches.ts';
import { purgeOwner } from './collections.ts';

/** Polls first: a running poll then writes nothing more, or has written before the items are deleted. */
const tables = ['polls', 'audit', 'dispatches', 'uploads', 'inbox_items', 'contact_images'];

const all: Batches = { rows: 5_000, most: Number.POSITIVE_INFINITY };

/**
 * Deletes a workspace's collections and its rows in every table. Can be called twice. Keeps the installation of the
 * app: that is deleted as soon as Slack reports the removal, and there can be a new one by now.
 */
export async function purgeWorkspace(pool: pg.Pool, workspace: string, batches: Batches = all): Promise<void> {
  const values = [workspace];
  for (const table of tables) {
    const where = 'workspace = $1';
    await inBatches(pool, { table, where, values }, batches);
    // Rows that were locked above.
    await pool.query(`delete from dropline.${table} where ${where}`, values);
  }
  await purgeOwner(pool, workspace, ['installation']);
}
