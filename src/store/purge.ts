import type pg from 'pg';
import { purgeOwner } from './drawers.ts';

/** Polls first: a poll that is under way then writes nothing any more, or has written before the items are removed. */
const tables = ['polls', 'audit', 'dispatches', 'uploads', 'inbox_items', 'contact_images'];

/** Forgets a workspace: its drawers and its rows in every ledger. May be called twice. */
export async function purgeWorkspace(
  pool: pg.Pool,
  workspace: string,
  { keepInstallation = false }: { keepInstallation?: boolean } = {},
): Promise<void> {
  for (const table of tables) await pool.query(`delete from dropline.${table} where workspace = $1`, [workspace]);
  await purgeOwner(pool, workspace, keepInstallation ? ['installation'] : []);
}
