import type pg from 'pg';
import { migrations as all, type Migration } from './migrations.ts';
import { inTransaction } from './pool.ts';

export class DatabaseTooNewError extends Error {
  override readonly name = 'DatabaseTooNewError';
}

/** Any number that nobody else uses for an advisory lock; the word "drop" in ASCII. */
const lockNumber = 0x64726f70;

/** Without the pool's limit for an answer: an index of a large table takes its time. */
const patiently = (text: string, values: unknown[] = []) => ({ text, values, query_timeout: 86_400_000 });

/**
 * Brings the database to what this code needs. Several processes may start at once: one migrates, the others wait. A
 * database that a newer version has migrated is left alone, because this code does not know what it means.
 */
export async function migrate(pool: pg.Pool, migrations: readonly Migration[] = all): Promise<void> {
  await inTransaction(pool, async (client) => {
    // The others wait for as long as the one takes.
    await client.query('set local statement_timeout = 0');
    // Within the transaction: the lock ends with it, also when this process ends in the middle.
    await client.query(patiently('select pg_advisory_xact_lock($1)', [lockNumber]));
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
        `The database is at version ${newest}, this version of Dropline knows ${migrations.length}. Start the newer version, or restore an older backup.`,
      );
    }
    for (const [index, { name, sql }] of migrations.entries()) {
      if (index < newest) continue;
      await client.query(patiently(sql));
      await client.query('insert into dropline.migrations (number, name) values ($1, $2)', [index + 1, name]);
    }
  });
}
