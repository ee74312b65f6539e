import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { slackEnv } from '../helpers/bot-process.ts';
import type { TestDatabase, TestPostgres } from '../helpers/postgres.ts';

/** A complete configuration, with a Slack that can't be reached. */
export const botEnv = {
  ...slackEnv,
  ENV_FILE: 'none',
  PORT: '0',
  PUBLIC_URL: 'https://drop.example.org',
  SECRET_KEY: randomBytes(32).toString('base64'),
  SLACK_API_URL: 'http://127.0.0.1:9/api/',
};

/** The schemas of a version before 1.0, with data: ten migrations without digests, and an older job engine. */
export const oldSchema = `
  create schema dropline;
  create table dropline.migrations (
    number int primary key, name text not null, at timestamptz not null default now());
  insert into dropline.migrations (number, name) select n, 'migration ' || n from generate_series(1, 10) n;
  create table dropline.keyv (key text primary key, value text not null, expires_at timestamptz);
  insert into dropline.keyv (key, value, expires_at) values
    ('settings:T1', 'encrypted', null), ('claim:T1', 'encrypted', now() - interval '1 day');
  create table dropline.audit (
    number bigint generated always as identity, act text not null, at timestamptz not null default now());
  create index audit_by_time on dropline.audit (at);
  insert into dropline.audit (act) values ('connect'), ('settings');
  create schema graphile_worker;
  create table graphile_worker.migrations (id int primary key, ts timestamptz not null default now());
  insert into graphile_worker.migrations (id) select generate_series(1, 5);
  create table graphile_worker.jobs (id bigserial primary key, task_identifier text not null, payload json);
  insert into graphile_worker.jobs (task_identifier) values ('announce')`;

export async function createOldDatabase(postgres: TestPostgres): Promise<TestDatabase & { pool: pg.Pool }> {
  const database = await postgres.createDatabase({ isEmpty: true });
  const pool = new pg.Pool({ ...database.connection, max: 2 });
  onTestFinished(() => pool.end());
  await pool.query(oldSchema);
  return { ...database, pool };
}
