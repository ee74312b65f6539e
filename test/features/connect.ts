import type { FeaturesSetup } from '../helpers/features.ts';

/** Counts a workspace's rows in the tables below, and its keyv entries. */
export async function countRows({ store }: FeaturesSetup, workspace: string): Promise<number> {
  const tables = ['audit', 'transfers', 'uploads', 'inbox_items', 'contact_edits', 'polls', 'pauses'];
  const counts = await Promise.all(
    tables.map((table) => store.pool.query(`select from dropline.${table} where workspace = $1`, [workspace])),
  );
  const keys = await store.pool.query(`select from dropline.keyv where key like '%' || $1 || '%'`, [`:${workspace}`]);
  return counts.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), keys.rowCount ?? 0);
}
