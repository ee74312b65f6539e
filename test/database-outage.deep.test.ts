import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readiness, slackEnv, startBot, terminate } from './helpers/bot-process.ts';
import { startTestPostgres } from './helpers/postgres.ts';
import { usePrograms } from './helpers/program.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test('a worker logs an outage of the database in two lines', async () => {
  const { connectionString: DATABASE_URL, disconnect, reconnect } = await postgres.createDatabase();
  const SECRET_KEY = randomBytes(32).toString('base64');
  const worker = await startBot(programs, 'worker', { ...slackEnv, DATABASE_URL, SECRET_KEY });
  // The first sweep.
  while (JSON.parse(await worker.nextLine()).msg !== 'job done');
  await disconnect();
  await sleep(4_000);
  expect(await readiness(worker.url)).toEqual({ status: 503, database: false, worker: false });
  await reconnect();
  await expect.poll(async () => (await readiness(worker.url)).status, { timeout: 30_000 }).toBe(200);
  await expect.poll(() => worker.printed(), { timeout: 30_000 }).toContain('database is back');
  expect(await terminate(worker)).toEqual({ code: 0, signal: null });
  const [, after = ''] = worker.printed().split('"msg":"job done"}\n');
  expect(after.trim().split('\n')).toEqual([
    expect.stringMatching(/^\{"level":"warn",.*"msg":"database unreachable"\}$/),
    expect.stringMatching(/^\{"level":"info",.*"seconds":\d+,"msg":"database is back"\}$/),
    expect.stringContaining('"msg":"stopping"'),
    expect.stringContaining('"msg":"stopped"'),
  ]);
});
