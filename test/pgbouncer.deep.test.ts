import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { checkAll } from '../src/check/checks.ts';
import { readiness, slackEnv, startBot, terminate } from './helpers/bot-process.ts';
import { type PoolMode, startPgBouncer } from './helpers/pgbouncer.ts';
import { startTestPostgres } from './helpers/postgres.ts';
import { usePrograms } from './helpers/program.ts';
import { isInstalled } from './helpers/proxies.ts';
import { describeIf } from './helpers/skips.ts';

const postgres = startTestPostgres();
const programs = usePrograms();
const SECRET_KEY = randomBytes(32).toString('base64');

async function setUp(mode: PoolMode) {
  const { connectionString } = await postgres.createDatabase();
  return { ...slackEnv, ENV_FILE: 'none', SECRET_KEY, DATABASE_URL: await startPgBouncer(connectionString, mode) };
}

describeIf(isInstalled('pgbouncer', '--version'), 'pgbouncer not found', 'behind PgBouncer', () => {
  test('a worker runs if PgBouncer pools by session', async () => {
    const env = await setUp('session');
    const worker = await startBot(programs, 'worker', env);
    expect(await readiness(worker.url)).toEqual({ status: 200, database: true, worker: true });
    const results = await checkAll({ ...env, PUBLIC_URL: 'https://drop.invalid' });
    const ofDatabase = results.filter(({ name }) => /database|key/.test(name));
    expect(ofDatabase.map(({ name, status }) => `${name}: ${status}`)).toEqual([
      'database: ok',
      'database version: ok',
      'database rights: ok',
      'database connections: ok',
      'key: ok',
      'clock and database: ok',
    ]);
    expect(await terminate(worker)).toEqual({ code: 0, signal: null });
  });

  test.each(['transaction', 'statement'] as const)('a start fails if PgBouncer pools by %s', async (mode) => {
    const env = await setUp(mode);
    const { ended, printed } = programs.run('src/main.ts', ['web'], { PORT: '0', ...env });
    expect(await ended).toMatchObject({ code: 1 });
    expect(printed().split('\n').slice(-2)).toEqual([
      "DATABASE_URL points to a pooler that doesn't pool by session, so locks would be lost. Connect to Postgres directly, or set the pooler to session pooling.",
      '',
    ]);
    const results = await checkAll({ ...env, PUBLIC_URL: 'https://drop.invalid' });
    expect(results.find(({ name }) => name === 'database')).toEqual({
      name: 'database',
      status: 'failed',
      message: "DATABASE_URL points to a pooler that doesn't pool by session, so locks would be lost",
      fix: 'Connect to Postgres directly, or set the pooler to session pooling.',
    });
    // Settings of a session would stay with the connection, which other programs get next.
    const client = new pg.Client(env.DATABASE_URL);
    await client.connect();
    expect((await client.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }]);
    await client.end();
  });
});
