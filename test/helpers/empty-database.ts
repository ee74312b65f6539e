import type pg from 'pg';

const tables = [
  'dropline.audit',
  'dropline.chains',
  'dropline.checkpoints',
  'dropline.transfers',
  'dropline.holds',
  'dropline.uploads',
  'dropline.contact_edits',
  'dropline.inbox_items',
  'dropline.pauses',
  'dropline.polls',
  'dropline.signing_keys',
  'graphile_worker._private_jobs',
];

/** Resets the database to its state after the first start. Call this only while no process runs jobs. */
export async function emptyDatabase(pool: Pick<pg.Pool, 'query'>): Promise<void> {
  // Keep the database's own secret, which processes have cached in memory.
  await pool.query(`delete from dropline.keyv where key not like 'own-secret:%'`);
  // For a few rows, `truncate` costs Postgres thirty times as much.
  await pool.query(tables.map((table) => `delete from ${table}`).join(';'));
}
