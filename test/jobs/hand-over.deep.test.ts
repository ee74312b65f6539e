import { expect, test } from 'vitest';
import { createDeferred, greetKind, recordingHandler, setUpJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test("a job that ignores its abort signal doesn't keep a worker from stopping", async () => {
  const { queue, startWorker, store } = await setUpJobs(postgres);
  const started = createDeferred();
  const { handler } = recordingHandler(async () => {
    started.resolve();
    await new Promise(() => {});
  });
  const runner = await startWorker({ handlers: [handler] });
  await queue.add(greetKind, { person: 'U1' });
  await started.promise;
  await runner.stop(10);
  const { rows } = await store.pool.query('select locked_by from graphile_worker._private_jobs');
  expect(rows).toHaveLength(1);
});
