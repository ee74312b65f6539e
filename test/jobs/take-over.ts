import { expect } from 'vitest';
import { setUpJobs } from '../helpers/jobs.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import type { Programs } from '../helpers/program.ts';
import { type Crash, stepCount, stepsHandler, stepsKind, type WorkerArgs } from '../programs/steps.ts';

/** Sets up jobs of several steps with counted effects, and worker processes that kill themselves at a step. */
export async function withEffects(postgres: TestPostgres, programs: Programs) {
  const setup = await setUpJobs(postgres);
  const { store, queue, database, secretKeys } = setup;
  await store.pool.query('create table effects (run text, step int)');
  /** Adds the job and starts a worker for it in a separate process. */
  async function start(run: string, crash: Crash) {
    await queue.add(stepsKind(run), { run }, { queue: `transfers:${run}` });
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

export interface Point {
  step: number;
  where: 'before' | 'between' | 'after';
  run: string;
}

export const points: Point[] = Array.from({ length: stepCount }, (_, step) => step).flatMap((step) =>
  (['before', 'between', 'after'] as const).map((where) => ({ step, where, run: `${where}-${step}` })),
);

/** Kills a worker at each point, four at a time; then another worker finishes the jobs. */
export async function killAtEach(
  killPoints: readonly Point[],
  postgres: TestPostgres,
  programs: Programs,
): Promise<void> {
  const { start, effectsOf, startWorker, store, untilDrained } = await withEffects(postgres, programs);
  for (let at = 0; at < killPoints.length; at += 4) {
    const kills = killPoints.slice(at, at + 4).map(async ({ run, step, where }) => {
      const { ended, printed } = await start(run, { step, where });
      expect(await ended, printed()).toEqual({ code: null, signal: 'SIGKILL' });
    });
    await Promise.all(kills);
  }
  const handlers = killPoints.map(({ run }) => stepsHandler(store, run));
  await startWorker({ handlers, deadAfterSeconds: 0, reapEveryMs: 100 });
  await untilDrained();
  for (const { run, step, where } of killPoints) {
    // A step that was done but not recorded is repeated, because no worker can know that it was done.
    const expected = Array.from({ length: stepCount }, (_, index) => (where === 'between' && index === step ? 2 : 1));
    expect(await effectsOf(run), run).toEqual(expected);
  }
}
