import type pg from 'pg';
import { type Batches, inBatches } from './batches.ts';

const auditDays = 400;
const before = (column: string, days: number) => `${column} < now() - interval '${days} days'`;

const rules = {
  keyv: { table: 'keyv', where: 'expires_at < now()' },
  audit: { table: 'audit', where: before('at', auditDays) },
  // A dispatch loses what it was about after 30 days; that it was, and whose it was, is known as long as the audit is.
  dispatch_details: {
    table: 'dispatches',
    where: `details_sealed is not null and ${before('ended_at', 30)}`,
    act: 'update dropline.dispatches set details_sealed = null from batch',
  },
  dispatches: { table: 'dispatches', where: before('ended_at', auditDays) },
  contact_images: { table: 'contact_images', where: before('settled_at', 30) },
  inbox_items: { table: 'inbox_items', where: before('gone_at', 90) },
};

/** Removes what has outlived its time; returns how many rows of each kind went. A rule that fails stops no other. */
export async function sweep(pool: pg.Pool, batches?: Batches): Promise<Record<string, number>> {
  const swept: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const [kind, rule] of Object.entries(rules)) {
    try {
      swept[kind] = await inBatches(pool, rule, batches);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} rules could not be applied`);
  return swept;
}
