import { expect, test } from 'vitest';
import { reap } from '../../src/jobs/reaper.ts';
import { kind, recordingHandler, setUpJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { runWithMistakenReaper } from './mistaken-reaper.ts';

const postgres = startTestPostgres();

test('two workers never run the same queue at once, even if one is taken for dead', async () => {
  await runWithMistakenReaper(postgres, 1);
});

test('a job that keeps killing its worker fails for good without another run', async () => {
  const { queue, work, drained, store } = await setUpJobs(postgres);
  const { handler, givenUp } = recordingHandler(async () => {
    throw new Error('the job ran');
  });
  await queue.add(kind, { person: 'U1' });
  await store.pool.query('update graphile_worker._private_jobs set attempts = $1', [kind.attempts + 5]);
  await work({ handlers: [handler] });
  await drained();
  expect(givenUp).toEqual(['U1: its worker died too often']);
});

test('workers that claimed a job recently are not treated as dead', async () => {
  const { queue, store } = await setUpJobs(postgres);
  await queue.add(kind, { person: 'U1' });
  await store.pool.query(
    `update graphile_worker._private_jobs set locked_by = 'young', locked_at = now() - interval '5 seconds'`,
  );
  expect(await reap(store, 10)).toEqual([]);
  expect(await reap(store, 4)).toEqual(['young']);
});
