import type pg from 'pg';
import { createCipher } from './encryption.ts';
import { countApplied } from './migrate.ts';
import { migrations } from './migrations.ts';
import { decryptsOwnSecret } from './own-secret.ts';
import { createPool } from './pool.ts';
import { requireSessions } from './pooler.ts';

export type Probe = Awaited<ReturnType<typeof openProbe>>;

/**
 * Inspects a database without changing it, before the first start or while the bot runs. Rejects with a DatabaseProblem
 * if the database can't be reached or would lose locks.
 */
export async function openProbe(connection: pg.ClientConfig) {
  await requireSessions(connection);
  const pool = createPool({ connection, maxConnections: 2 });
  const selectValue = async <T>(sql: string, column: string): Promise<T> =>
    (await pool.query(sql)).rows[0]?.[column] as T;
  return {
    /** Reads the major version of Postgres. */
    readVersion: async () => Math.floor((await selectValue<number>(versionSql, 'version')) / 10_000),
    /** Finds the rights that this account lacks to create and migrate our tables. */
    findMissingRights: async () => {
      const { rows } = await pool.query<{ missing: string }>(rightsSql);
      return rows.map(({ missing }) => missing);
    },
    /** Counts the connections that this account can have, without those that other programs use. */
    countConnections: () => selectValue<number>(connectionsSql, 'available'),
    /**
     * Reads the version of our tables (0 if there are none yet), and the newest version that this program supports.
     * Undefined if a different version of Dropline created them.
     */
    async readSchema() {
      const version = await countApplied(pool);
      return version === undefined ? undefined : { version, supported: migrations.length };
    },
    /** Whether one of the keys decrypts the data; undefined if there is no data yet. */
    async canDecrypt(secretKeys: readonly Buffer[]): Promise<boolean | undefined> {
      const exists = await selectValue<boolean>(`select to_regclass('dropline.keyv') is not null as exists`, 'exists');
      if (!exists) return undefined;
      return decryptsOwnSecret(pool, createCipher(secretKeys));
    },
    /** Reads the database's clock, in milliseconds since 1970. */
    readClock: async () =>
      Number(await selectValue<string>('select extract(epoch from clock_timestamp()) * 1000 as ms', 'ms')),
    close: () => pool.end(),
  };
}

const versionSql = `select current_setting('server_version_num')::int as version`;

/** This account must be able to create our schema and the job engine's, or own them. */
const rightsSql = `
  select format('create schemas in the database %s: grant create on database %I to %I', current_database(),
    current_database(), current_user) as missing
  where not has_database_privilege(current_database(), 'create')
    and (to_regnamespace('dropline') is null or to_regnamespace('graphile_worker') is null)
  union all
  select format('own the schema %s: alter schema %I owner to %I', nspname, nspname, current_user)
  from pg_namespace where nspname in ('dropline', 'graphile_worker') and not pg_has_role(nspowner, 'usage')`;

/** The least of three limits. Connections of Dropline don't count as used. */
const connectionsSql = `
  select least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0)
      - (select count(*) from pg_stat_activity
         where backend_type = 'client backend' and application_name not like 'dropline %')::int,
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
  ) as available`;
