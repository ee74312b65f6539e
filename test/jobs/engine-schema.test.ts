import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { setUpJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();
const jobs = resolve(import.meta.dirname, '../../src/jobs');

/** The columns of graphile-worker's tables and view that our SQL uses, with their types. */
const usedColumns = {
  _private_job_queues: {
    id: 'integer',
    locked_at: 'timestamp with time zone',
    locked_by: 'text',
    queue_name: 'text',
  },
  _private_jobs: {
    id: 'bigint',
    job_queue_id: 'integer',
    locked_at: 'timestamp with time zone',
    locked_by: 'text',
    payload: 'json',
  },
  jobs: {
    attempts: 'smallint',
    id: 'bigint',
    key: 'text',
    locked_at: 'timestamp with time zone',
    locked_by: 'text',
    max_attempts: 'smallint',
    run_at: 'timestamp with time zone',
  },
};

test("graphile-worker's tables and view have the columns that our SQL uses", async () => {
  const { store } = await setUpJobs(postgres);
  const { rows } = await store.pool.query<{ table: keyof typeof usedColumns; column: string; type: string }>(
    `select table_name as table, column_name as column, data_type as type from information_schema.columns
     where table_schema = 'graphile_worker' and table_name = any ($1) order by column_name`,
    [Object.keys(usedColumns)],
  );
  const found = Object.entries(usedColumns).map(([table, columns]) => {
    const ours = rows.filter((row) => row.table === table && row.column in columns);
    return [table, Object.fromEntries(ours.map(({ column, type }) => [column, type]))];
  });
  expect(Object.fromEntries(found)).toEqual(usedColumns);
});

test("graphile-worker's functions accept the arguments that our SQL passes", async () => {
  const { store } = await setUpJobs(postgres);
  const { rows } = await store.pool.query<{ name: string; args: string }>(
    `select proname as name, pg_get_function_identity_arguments(oid) as args from pg_proc
     where pronamespace = 'graphile_worker'::regnamespace and proname = any ($1) order by 1`,
    [['add_job', 'complete_jobs', 'force_unlock_workers', 'reschedule_jobs']],
  );
  expect(rows).toEqual([
    {
      name: 'add_job',
      args: 'identifier text, payload json, queue_name text, run_at timestamp with time zone, max_attempts integer, job_key text, priority integer, flags text[], job_key_mode text',
    },
    { name: 'complete_jobs', args: 'job_ids bigint[]' },
    { name: 'force_unlock_workers', args: 'worker_ids text[]' },
    {
      name: 'reschedule_jobs',
      args: 'job_ids bigint[], run_at timestamp with time zone, priority integer, attempts integer, max_attempts integer',
    },
  ]);
});

/**
 * How many lines of each file use private tables; comments there give the reasons. Prefer graphile-worker's view and
 * functions, which are its public interface.
 */
const privateMentions = { 'checkpoints.ts': 1, 'queue.ts': 8, 'reaper.ts': 4 };

test('only the listed files use private tables of graphile-worker', () => {
  const mentions = readdirSync(jobs).map((name): [string, number] => {
    const lines = readFileSync(join(jobs, name), 'utf8').split('\n');
    return [name, lines.filter((line) => line.includes('graphile_worker._private')).length];
  });
  expect(Object.fromEntries(mentions.filter(([, count]) => count > 0))).toEqual(privateMentions);
});
