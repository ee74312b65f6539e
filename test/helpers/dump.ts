import type pg from 'pg';

/** Dumps every row of every table in every schema as text. */
export async function dumpOf(pool: Pick<pg.Pool, 'query'>): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by name`,
  );
  const dumps = tables.map(async ({ name }) => {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
    return `${name}\n${rows.map(({ row }) => row).join('\n')}`;
  });
  return (await Promise.all(dumps)).join('\n');
}

/** Schemas, tables, columns, defaults, constraints, indexes, triggers, functions, and where each sequence is. */
const schemaSql = `
  select line from (
    select format('schema %s %s', nspname, nspacl) from pg_namespace
    union all select format('relation %s %s %s', oid::regclass, relkind, relacl) from pg_class
      where relnamespace not in ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace)
    union all select format('column %s.%s %s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod),
      attnotnull, (select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = attrelid and adnum = attnum))
      from pg_attribute where attnum > 0
    union all select format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
    union all select indexdef from pg_indexes
    union all select pg_get_triggerdef(oid) from pg_trigger
    union all select format('function %s %s', oid::regprocedure, md5(prosrc)) from pg_proc
    union all select format('sequence %s.%s %s', schemaname, sequencename, last_value) from pg_sequences
  ) as dump (line) order by line`;

/** Dumps everything in the database, so that any change shows: its schemas, and every row of every table. */
export async function fullDumpOf(pool: Pick<pg.Pool, 'query'>): Promise<string> {
  const { rows } = await pool.query<{ line: string }>(schemaSql);
  return `${rows.map(({ line }) => line).join('\n')}\n${await dumpOf(pool)}`;
}

/** Lists the forms in which a secret could appear in a text: plain and in common encodings. */
export function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    // In a JSON string, and in JSON inside a table row.
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(secret).slice(1, -1).replaceAll('"', '""').replaceAll('\\', '\\\\'),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    // The last characters depend on the bytes that follow the secret.
    bytes.toString('base64').slice(0, -4),
    bytes.toString('base64url').slice(0, -4),
  ];
}
