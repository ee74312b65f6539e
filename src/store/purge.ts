import type pg from 'pg';
import { type Batches, inBatches } from './batches.ts';
import { purgeOwner } from './collections.ts';

/** Polls first, so that a running poll either writes nothing more or has written before its items are deleted. */
const tables = ['polls', 'audit', 'dispatches', 'uploads', 'inbox_items', 'contact_images', 'pauses'];

const all: Batches = { rows: 5_000, maxStatements: Number.POSITIVE_INFINITY };

/**
 * Deletes a workspace's collections and its rows in every table. Idempotent. Keeps the app's installation: the old one
 * was deleted when Slack reported the uninstall, and by now there can be a new one.
 */
export async function purgeWorkspace(pool: pg.Pool, workspace: string, batches: Batches = all): Promise<void> {
  const values = [workspace];
  for (const table of tables) {
    const where = 'workspace = $1';
    await inBatches(pool, { table, where, values }, batches);
    // Delete the rows that were locked before.
    await pool.query(`delete from dropline.${table} where ${where}`, values);
  }
  await purgeOwner(pool, workspace, ['installation']);
}
