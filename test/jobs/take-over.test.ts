import { expect, test } from 'vitest';
import { setUpJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { type Crash, stepCount, stepsHandler, stepsKind, type WorkerArgs } from '../programs/steps.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

async function withEffects() {
  const setup = await setUpJobs(postgres);
  const { store, queue, database, secretKeys } = setup;
  await store.pool.query('create table effects (run text, step int)');
  /** A worker that has taken the job, in a process of its own. */
  async function start(run: string, crash: Crash) {
    await queue.add(stepsKind(run), { run }, { queue: `outgoing:${run}` });
    const secretKey = secretKeys[0]?.toString('base64') ?? '';
    const args: WorkerArgs = { connection: database.connection, secretKey, kind: run, crash };
    return programs.run('test/programs/steps-worker.ts', [JSON.stringify(args)]);
  }
  async function effectsOf(run: string): Promise<number[]> {
    const { rows } = await store.pool.query(
      'select count(e.step)::int as times from generate_series(0, $2 - 1) n left join effects e on e.step = n and e.run = $1 group by n order by n',
      [run, stepCount],
    );
    return rows.map(({ times }) => times);
  }
  return { ...setup, start, effectsOf };
}

const points = Array.from({ length: stepCount }, (_, step) => step).flatMap((step) =>
  (['before', 'between', 'after'] as const).map((where) => ({ step, where, run: `${where}-${step}` })),
);

test(`after kill -9 at any of ${points.length} points another worker goes on, and does no step that was noted again`, async () => {
  const { start, effectsOf, work, store, drained } = await withEffects();
  for (let at = 0; at < points.length; at += 4) {
    const killed = points.slice(at, at + 4).map(async ({ run, step, where }) => {
      const { ended, printed } = await start(run, { step, where });
      expect(await ended, printed()).toEqual({ code: null, signal: 'SIGKILL' });
    });
    await Promise.all(killed);
  }
  const handlers = points.map(({ run }) => stepsHandler(store, run));
  await work({ handlers, deadAfterSeconds: 0, reapEveryMs: 100 });
  await drained();
  for (const { run, step, where } of points) {
    // A step that was done but not noted is done again: nobody can know.
    const expected = Array.from({ length: stepCount }, (_, index) => (where === 'between' && index === step ? 2 : 1));
    expect(await effectsOf(run), run).toEqual(expected);
  }
}, 120_000);

test('a worker that is killed is followed by another within 20 seconds', async () => {
  const { start, effectsOf, work, store, drained } = await withEffects();
  const { child, line, ended } = await start('slow', { step: 3, where: 'never' });
  expect(await line()).toBe('waiting');
  await work({ handlers: [stepsHandler(store, 'slow')] });
  child.kill('SIGKILL');
  await ended;
  const killed = Date.now();
  await drained();
  expect(Date.now() - killed).toBeLessThan(20_000);
  expect(await effectsOf('slow')).toEqual([1, 1, 1, 2, 1, 1, 1]);
}, 60_000);
