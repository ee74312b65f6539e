import type { FeaturesSetup } from '../helpers/features.ts';

/** How many rows of a workspace are left after a disconnect, which keeps the audit, or after an uninstall. */
export async function countRows({ store }: FeaturesSetup, workspace: string, how = 'disconnect'): Promise<number> {
  const tables = [
    ...(how === 'uninstall' ? ['audit'] : []),
    'transfers',
    'uploads',
    'inbox_items',
    'contact_edits',
    'polls',
    'pauses',
  ];
  const counts = await Promise.all(
    tables.map((table) => store.pool.query(`select from dropline.${table} where workspace = $1`, [workspace])),
  );
  const keys = await store.pool.query(`select from dropline.keyv where key like '%' || $1 || '%'`, [`:${workspace}`]);
  return counts.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), keys.rowCount ?? 0);
}
