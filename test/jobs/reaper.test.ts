import { expect, test } from 'vitest';
import { reap } from '../../src/jobs/reaper.ts';
import { greetKind, recordingHandler, setUpJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { runWithMistakenReaper } from './reaper-race.ts';

const postgres = startTestPostgres();

test('two workers never run one queue concurrently, even if both are treated as dead', async () => {
  await runWithMistakenReaper(postgres, 1);
});

test('a job that keeps killing its worker is given up without another run', async () => {
  const { queue, startWorker, untilDrained, store } = await setUpJobs(postgres);
  const { handler, givenUp } = recordingHandler(async () => {
    throw new Error('the job ran');
  });
  await queue.add(greetKind, { person: 'U1' });
  await store.pool.query('update graphile_worker._private_jobs set attempts = $1', [greetKind.attempts + 5]);
  await startWorker({ handlers: [handler] });
  await untilDrained();
  expect(givenUp).toEqual(['U1: its worker died too often']);
});

test('workers that claimed a job recently are not treated as dead', async () => {
  const { queue, store } = await setUpJobs(postgres);
  await queue.add(greetKind, { person: 'U1' });
  await store.pool.query(
    `update graphile_worker._private_jobs set locked_by = 'young', locked_at = now() - interval '5 seconds'`,
  );
  expect(await reap(store, 10)).toEqual([]);
  expect(await reap(store, 4)).toEqual(['young']);
});
