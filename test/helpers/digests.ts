import type pg from 'pg';
import type { Digest } from '../../src/features/inbox/announce/operations.ts';
import type { AppSetup } from './app.ts';
import { until } from './features.ts';

/** Returns a daily digest that isn't due during a test: its hour is half a day away. */
export function laterDigest(): Digest {
  return { posts: 'day', hour: (new Date().getUTCHours() + 12) % 24, zone: 'UTC' };
}

/** Makes the waiting items a day older and their digests due now. Returns the number of these digests. */
export async function skipDay(pool: pg.Pool): Promise<number> {
  await pool.query(
    `update dropline.inbox_items set first_seen = first_seen - interval '1 day' where announced_at is null`,
  );
  const { rowCount } = await pool.query(
    `update graphile_worker._private_jobs set run_at = now()
     where key like 'announce:% digest' and locked_at is null and run_at > now()`,
  );
  return rowCount ?? 0;
}

/** Resolves when this many items are waiting and the digest is scheduled. */
export async function untilDigestWaits(
  { services, acme }: Pick<AppSetup, 'services' | 'acme'>,
  items: number,
): Promise<void> {
  const { pool } = services.store;
  await until(async () => {
    const sql = 'select from dropline.inbox_items where workspace = $1 and announced_at is null';
    return (await pool.query(sql, [acme.id])).rowCount === items || undefined;
  }, `${items} waiting items`);
  await until(async () => {
    const sql = 'select from graphile_worker.jobs where key like $1';
    return (await pool.query(sql, [`announce:${acme.id} % digest`])).rowCount === 1 || undefined;
  }, 'the scheduled digest');
}
