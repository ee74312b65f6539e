import type pg from 'pg';
import { createBatcher } from '../lib/batcher.ts';

export interface Row {
  key: string;
  /** Encrypted. */
  value: string;
  /** From now, by the database's clock. */
  ttlMs: number | undefined;
}

/**
 * Adds keyv rows that don't exist yet or have expired; resolves with whether the row was added. Almost every delivery
 * from Slack adds one, to detect repeats. Calls in the same tick share one statement: separate ones would be a fifth of
 * all work under load.
 */
export function createAdder(pool: pg.Pool): (row: Row) => Promise<boolean> {
  const addAll = createBatcher(async (rows: readonly Row[]) => {
    // Of several calls for one key, the first adds the row.
    const unique = [...new Map(rows.toReversed().map((row) => [row.key, row])).values()];
    const keys = await upsert(pool, unique, 'where keyv.expires_at <= now()');
    return new Set(unique.filter(({ key }) => keys.has(key)));
  });
  return async (row) => (await addAll(row)).has(row);
}

/** Writes keyv rows. Calls in the same tick share one statement; of several for one key, the last one is written. */
export function createWriter(pool: pg.Pool): (row: Row) => Promise<unknown> {
  return createBatcher((rows: readonly Row[]) =>
    upsert(pool, [...new Map(rows.map((row) => [row.key, row])).values()], ''),
  );
}

/** Inserts the rows and replaces those that exist, on a condition. Resolves with the keys of the written rows. */
async function upsert(pool: pg.Pool, rows: readonly Row[], condition: string): Promise<Set<string>> {
  // Ordered by key: otherwise two processes that write the same keys could deadlock.
  const { rows: written } = await pool.query<{ key: string }>(
    `insert into dropline.keyv (key, value, expires_at)
     select key, value, now() + ttl * interval '1 millisecond'
     from unnest($1::text[], $2::text[], $3::float8[]) as wanted (key, value, ttl) order by key
     on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at ${condition}
     returning key`,
    [rows.map(({ key }) => key), rows.map(({ value }) => value), rows.map(({ ttlMs }) => ttlMs ?? null)],
  );
  return new Set(written.map(({ key }) => key));
}

/**
 * Reads keyv rows by key. Calls in the same tick share one statement, because the poller reads the credentials and
 * tokens of many workspaces at once. Nothing is cached.
 */
export function createReader(pool: pg.Pool): (key: string) => Promise<string | undefined> {
  const readAll = createBatcher(async (keys: readonly string[]) => {
    const { rows } = await pool.query<{ key: string; value: string }>(
      'select key, value from dropline.keyv where key = any ($1) and (expires_at is null or expires_at > now())',
      [[...new Set(keys)]],
    );
    return new Map(rows.map(({ key, value }) => [key, value]));
  });
  return async (key) => (await readAll(key)).get(key);
}

export interface PrefixedRow {
  prefix: string;
  key: string;
  value: string;
}

/** Reads the rows of all keys that begin with one of these prefixes, each of which ends with a space. */
export async function selectByPrefix(
  client: Pick<pg.ClientBase, 'query'>,
  prefixes: readonly string[],
): Promise<PrefixedRow[]> {
  // The column is collated by bytes, in which ! follows the space: so this is a range of the index.
  const { rows } = await client.query<PrefixedRow>(
    `select prefix, key, value from unnest($1::text[]) as wanted (prefix)
     join dropline.keyv on key >= prefix and key < rtrim(prefix) || '!'
     where expires_at is null or expires_at > now() order by key`,
    [prefixes],
  );
  return rows;
}

/** Like `selectByPrefix`. Calls in the same tick share one statement. */
export function createPrefixReader(pool: pg.Pool): (prefix: string) => Promise<PrefixedRow[]> {
  const readAll = createBatcher((prefixes: readonly string[]) => selectByPrefix(pool, [...new Set(prefixes)]));
  return async (prefix) => (await readAll(prefix)).filter((row) => row.prefix === prefix);
}
