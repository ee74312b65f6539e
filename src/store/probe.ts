import type pg from 'pg';
import { createCipher } from './encryption.ts';
import { migrations } from './migrations.ts';
import { decryptsOwnSecret } from './own-secret.ts';
import { createPool } from './pool.ts';
import { refuseTransactionPooler } from './pooler.ts';

/** Looks at a database without changing it, before the first start or while the bot runs. */
export interface Probe {
  /** The major version of Postgres. */
  version(): Promise<number>;
  /** What this account would need to create and migrate our tables; empty if it has all. */
  missingRights(): Promise<string[]>;
  /** Rejects with a TransactionPoolerError if locks would be lost. */
  checkSessionLocks(): Promise<void>;
  /** Connections that this account can have, without those that other programs use. */
  connections(): Promise<number>;
  /** The version of our tables, and the newest that this program knows. 0: there are none yet. */
  schema(): Promise<{ version: number; known: number }>;
  /** Whether one of the keys decrypts the data; undefined if there is none yet. */
  decrypts(secretKeys: readonly Buffer[]): Promise<boolean | undefined>;
  clock(): Promise<number>;
  close(): Promise<void>;
}

/** Rejects if the database can't be reached. */
export async function openProbe(connection: pg.ClientConfig): Promise<Probe> {
  const pool = createPool({ connection, maxConnections: 2 });
  const one = async <T>(sql: string, column: string): Promise<T> => (await pool.query(sql)).rows[0]?.[column] as T;
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    version: async () => Math.floor((await one<number>(versionSql, 'version')) / 10_000),
    missingRights: async () => {
      const { rows } = await pool.query<{ missing: string }>(rightsSql);
      return rows.map(({ missing }) => missing);
    },
    checkSessionLocks: () => refuseTransactionPooler(pool),
    connections: () => one<number>(connectionsSql, 'available'),
    async schema() {
      const exists = await one<boolean>(`select to_regclass('dropline.migrations') is not null as exists`, 'exists');
      const version = exists ? await one<number | null>('select max(number) as n from dropline.migrations', 'n') : 0;
      return { version: version ?? 0, known: migrations.length };
    },
    async decrypts(secretKeys) {
      const exists = await one<boolean>(`select to_regclass('dropline.keyv') is not null as exists`, 'exists');
      if (!exists) return undefined;
      return decryptsOwnSecret(pool, createCipher(secretKeys));
    },
    clock: async () => Number(await one<string>('select extract(epoch from clock_timestamp()) * 1000 as ms', 'ms')),
    close: () => pool.end(),
  };
}

const versionSql = `select current_setting('server_version_num')::int as version`;

/** Our schema and the job engine's: this account creates them, or owns them. */
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
