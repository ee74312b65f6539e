import type pg from 'pg';

export interface Row {
  key: string;
  /** Encrypted. */
  value: string;
  /** From now, by the database's clock. */
  ttlMs: number | undefined;
}

/**
 * Adds keyv rows that don't exist yet; resolves with whether the row was added. Concurrent calls share one statement,
 * because every command claims its request this way: under load, separate round trips would be a fifth of all work.
 */
export function createAdder(pool: pg.Pool): (row: Row) => Promise<boolean> {
  let batch: { rows: Map<string, Row>; added: Promise<Set<string>> } | undefined;

  async function add(rows: Map<string, Row>): Promise<Set<string>> {
    // Yield once so that callers in the same tick join the batch.
    await undefined;
    batch = undefined;
    const all = [...rows.values()];
    // Ordered by key: otherwise two processes that add the same keys could deadlock.
    const { rows: added } = await pool.query<{ key: string }>(
      `insert into dropline.keyv (key, value, expires_at)
       select key, value, now() + ttl * interval '1 millisecond'
       from unnest($1::text[], $2::text[], $3::float8[]) as wanted (key, value, ttl) order by key
       on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at
       where keyv.expires_at <= now()
       returning key`,
      [all.map(({ key }) => key), all.map(({ value }) => value), all.map(({ ttlMs }) => ttlMs ?? null)],
    );
    return new Set(added.map(({ key }) => key));
  }

  return async (row) => {
    if (batch === undefined) {
      const rows = new Map<string, Row>();
      batch = { rows, added: add(rows) };
    }
    const { rows, added } = batch;
    const isDuplicate = rows.has(row.key);
    if (!isDuplicate) rows.set(row.key, row);
    return (await added).has(row.key) && !isDuplicate;
  };
}
