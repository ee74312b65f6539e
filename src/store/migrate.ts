import type pg from 'pg';
import { migrations as allMigrations, type Migration } from './migrations.ts';
import { inTransaction } from './pool.ts';

export class DatabaseTooNewError extends Error {
  override readonly name = 'DatabaseTooNewError';
}

/** An advisory lock number that isn't used elsewhere: "drop" in ASCII. */
const lockNumber = 0x64726f70;

/** Creating an index on a large table takes longer than the pool's query timeout. */
const withoutQueryTimeout = (text: string, values: unknown[] = []) => ({ text, values, query_timeout: 86_400_000 });

/**
 * Migrates the database to this version. If several processes start at once, one migrates and the others wait. A
 * database of a newer version is rejected, because this code doesn't support its schema.
 */
export async function migrate(pool: pg.Pool, migrations: readonly Migration[] = allMigrations): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Other processes wait for the lock below as long as the migration takes.
    await client.query('set local statement_timeout = 0');
    // The lock is released with the transaction, even if this process ends midway.
    await client.query(withoutQueryTimeout('select pg_advisory_xact_lock($1)', [lockNumber]));
    await client.query('create schema if not exists dropline');
    await client.query(
      'create table if not exists dropline.migrations (number int primary key, name text not null, at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ newest: number | null }>(
      'select max(number) as newest from dropline.migrations',
    );
    const newest = rows[0]?.newest ?? 0;
    if (newest > migrations.length) {
      throw new DatabaseTooNewError(
        `The database is at version ${newest}, but this version of Dropline supports only ${migrations.length}. Start the newer version, or restore an older backup.`,
      );
    }
    for (const [index, { name, sql }] of migrations.entries()) {
      if (index < newest) continue;
      await client.query(withoutQueryTimeout(sql));
      await client.query('insert into dropline.migrations (number, name) values ($1, $2)', [index + 1, name]);
    }
  });
}
