import type pg from 'pg';

/** Dumps every row of every table in every schema as text. */
export async function dumpOf(pool: Pick<pg.Pool, 'query'>): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const dumps = tables.map(async ({ name }) => {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
    return `${name}\n${rows.map(({ row }) => row).join('\n')}`;
  });
  return (await Promise.all(dumps)).join('\n');
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
