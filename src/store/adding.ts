import type pg from 'pg';

export interface Row {
  key: string;
  /** Sealed. */
  value: string;
  /** Counted from now, by the clock of the database. */
  ttlMs: number | undefined;
}

/**
 * Adds rows of keyv unless they are there; tells of each whether it was. What is asked for in the same moment goes by one
 * statement: in a rush every command notes that it was heard, and a round trip each would be a fifth of all the work.
 */
export function createAdder(pool: pg.Pool): (row: Row) => Promise<boolean> {
  let batch: { rows: Map<string, Row>; added: Promise<Set<string>> } | undefined;

  async function add(rows: Map<string, Row>): Promise<Set<string>> {
    // Whoever goes on in the same moment has joined after this.
    await undefined;
    batch = undefined;
    const all = [...rows.values()];
    // In the order of keys: two processes with the same ones would else wait for each other for ever.
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
    const isSecond = rows.has(row.key);
    if (!isSecond) rows.set(row.key, row);
    return (await added).has(row.key) && !isSecond;
  };
}
