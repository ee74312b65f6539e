import { createHash } from 'node:crypto';
import type pg from 'pg';
import { migrations as allMigrations, type Migration } from './migrations.ts';
import { inTransaction } from './pool.ts';

export const otherVersion = {
  problem: 'This database was created by a different version of Dropline',
  fix: 'Use an empty database, or start the version that created it.',
};

export class OtherVersionError extends Error {
  override readonly name = 'OtherVersionError';

  constructor() {
    super(`${otherVersion.problem}: use an empty database, or start the version that created it.`);
  }
}

/** An advisory lock number that isn't used elsewhere: "drop" in ASCII. */
const lockNumber = 0x64726f70;

/** Creating an index on a large table takes longer than the pool's query timeout. */
const withoutQueryTimeout = (text: string, values: unknown[] = []) => ({ text, values, query_timeout: 86_400_000 });

/**
 * Migrates the database to this version. If several processes start at once, one migrates and the others wait. Rejects
 * if the database has migrations that this version doesn't have, and changes nothing in it.
 */
export async function migrate(pool: pg.Pool, migrations: readonly Migration[] = allMigrations): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Other processes wait for the lock below as long as the migration takes.
    await client.query('set local statement_timeout = 0');
    // The lock is released with the transaction, even if this process ends midway.
    await client.query(withoutQueryTimeout('select pg_advisory_xact_lock($1)', [lockNumber]));
    const applied = await countApplied(client, migrations);
    if (applied === undefined) throw new OtherVersionError();
    await client.query('create schema if not exists dropline');
    await client.query(
      `create table if not exists dropline.migrations (
         number int primary key, name text not null, digest text not null, at timestamptz not null default now())`,
    );
    for (const [index, migration] of migrations.entries()) {
      if (index < applied) continue;
      const { name, sql } = migration;
      await client.query(withoutQueryTimeout(sql));
      await client.query('insert into dropline.migrations (number, name, digest) values ($1, $2, $3)', [
        index + 1,
        name,
        digestOf(migration),
      ]);
    }
  });
}

/** Counts the applied migrations. Returns undefined if one of them differs from ours or is unknown. Changes nothing. */
export async function countApplied(
  client: Pick<pg.ClientBase, 'query'>,
  migrations: readonly Migration[] = allMigrations,
): Promise<number | undefined> {
  const { rows: found } = await client.query(`select where to_regclass('dropline.migrations') is not null`);
  if (found.length === 0) return 0;
  // Through JSON, because the first databases have no column for the digest.
  const { rows: applied } = await client.query<{ name: string; digest: string | null }>(
    `select name, to_json(migrations) ->> 'digest' as digest from dropline.migrations order by number`,
  );
  const areOurs = applied.every(({ name, digest }, index) => {
    const migration = migrations[index];
    return migration?.name === name && digestOf(migration) === digest;
  });
  return areOurs ? applied.length : undefined;
}

export function digestOf({ sql }: Migration): string {
  return createHash('sha256').update(sql).digest('hex');
}
