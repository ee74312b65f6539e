import { expect, test } from 'vitest';
import { checkAll } from '../../src/check/checks.ts';
import { fullDumpOf } from '../helpers/dump.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { runMain, usePrograms } from '../helpers/program.ts';
import { botEnv, createOldDatabase } from './old-database.ts';

const postgres = startTestPostgres();
const run = runMain(usePrograms());

test('a bot and the check command refuse an old database and change nothing in it', async () => {
  const { pool, connectionString: DATABASE_URL } = await createOldDatabase(postgres);
  const before = await fullDumpOf(pool);
  expect(before).toContain('sequence dropline.audit_number_seq 2');
  const { code, printed } = await run(['all'], { ...botEnv, DATABASE_URL });
  expect(code).toBe(1);
  expect(printed.split('\n').filter((line) => !line.startsWith('{'))).toEqual([
    'This database was created by a different version of Dropline: use an empty database, or start the version that created it.',
    '',
  ]);
  expect(await fullDumpOf(pool)).toBe(before);
  const checks = await checkAll({ ...botEnv, DATABASE_URL });
  expect(checks.filter(({ name }) => name === 'database version' || name === 'key')).toEqual([
    {
      name: 'database version',
      status: 'failed',
      message: 'This database was created by a different version of Dropline',
      fix: 'Use an empty database, or start the version that created it.',
    },
    { name: 'key', status: 'skipped', message: 'not checked with the data of a different version' },
  ]);
  expect(await fullDumpOf(pool)).toBe(before);
});
