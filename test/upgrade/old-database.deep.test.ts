import { expect, test } from 'vitest';
import { fullDumpOf } from '../helpers/dump.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { runMain, usePrograms } from '../helpers/program.ts';
import { botEnv, createOldDatabase } from './old-database.ts';

const postgres = startTestPostgres();
const run = runMain(usePrograms());

test.each(['web', 'worker', 'reencrypt', 'check'])(
  '%s refuses an old database and leaves it unchanged',
  async (name) => {
    const { pool, connectionString: DATABASE_URL } = await createOldDatabase(postgres);
    const before = await fullDumpOf(pool);
    const { code, printed } = await run([name], { ...botEnv, DATABASE_URL });
    expect(code).toBe(1);
    expect(printed).toContain('This database was created by a different version of Dropline');
    expect(printed).not.toContain('    at ');
    expect(await fullDumpOf(pool)).toBe(before);
  },
);
