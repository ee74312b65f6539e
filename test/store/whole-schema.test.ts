import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { encryptedColumns } from '../../src/store/encrypted-columns.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();

async function columns() {
  const { store } = await setUpStore(postgres);
  const { rows } = await store.pool.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns where table_schema = 'dropline'`,
  );
  return { store, rows };
}

const sourceOf = (name: string) => readFileSync(new URL(`../../src/store/${name}.ts`, import.meta.url), 'utf8');

/**
 * Tables without a retention rule. chain.ts removes old entries of `audit`; `chains` has one row per workspace. `holds` outlive a workspace, `checkpoints` are deleted with their jobs, and
 * a pause ends when an admin resumes. `polls` has one row per workspace, `migrations` one per migration,
 * `signing_keys` one per rotation of SECRET_KEY.
 */
const withoutRetention = ['audit', 'chains', 'checkpoints', 'holds', 'migrations', 'pauses', 'polls', 'signing_keys'];

test('purging a workspace covers every table with a workspace column', async () => {
  const { rows } = await columns();
  const [, list = ''] = /const tables = \[([^\]]+)\]/.exec(sourceOf('purge')) ?? [];
  const purged = [...list.matchAll(/'(\w+)'/g)].map(([, table]) => table);
  const owned = rows.filter(({ column }) => column === 'workspace').map(({ table }) => table);
  // A hold stays until an admin releases it, without the name of the workspace.
  expect([...purged, 'holds'].sort()).toEqual(owned.sort());
});

test("retention rules cover every table that isn't exempt", async () => {
  const { rows } = await columns();
  const swept = [...sourceOf('retention').matchAll(/table: '(\w+)'/g)].map(([, table]) => table);
  const all = [...new Set(rows.map(({ table }) => table))];
  expect([...new Set(swept), ...withoutRetention].sort()).toEqual(all.sort());
});

test('re-encryption covers every column that can contain encrypted text', async () => {
  const { rows } = await columns();
  const encrypted = rows
    .filter(({ column }) => column.endsWith('_encrypted'))
    .map(({ table, column }) => `${table}.${column}`);
  const known = encryptedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(known.sort()).toEqual([...encrypted, 'keyv.value'].sort());
});
