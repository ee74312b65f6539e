import type pg from 'pg';

const auditDays = 400;

/** Removes what has outlived its time; returns how many rows of each kind went. */
export async function sweep(pool: pg.Pool): Promise<Record<string, number>> {
  const rules: Record<string, string> = {
    keyv: 'delete from dropline.keyv where expires_at < now()',
    audit: `delete from dropline.audit where at < now() - make_interval(days => $1)`,
    // A dispatch loses what it was about after 30 days; that it was, and whose it was, is known as long as the audit is.
    dispatch_details: `update dropline.dispatches set details_sealed = null
      where details_sealed is not null and ended_at < now() - interval '30 days'`,
    dispatches: `delete from dropline.dispatches where ended_at < now() - make_interval(days => $1)`,
    contact_images: `delete from dropline.contact_images where settled_at < now() - interval '30 days'`,
    inbox_items: `delete from dropline.inbox_items where gone_at < now() - interval '90 days'`,
  };
  const swept: Record<string, number> = {};
  for (const [kind, sql] of Object.entries(rules)) {
    const { rowCount } = await pool.query(sql, sql.includes('$1') ? [auditDays] : []);
    swept[kind] = rowCount ?? 0;
  }
  return swept;
}
