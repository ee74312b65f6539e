import { expect, test } from 'vitest';
import { createDeferred, greetKind, recordingHandler, setUpJobs, shareJobs } from '../helpers/jobs.ts';
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

test("a worker that can't get its liveness lock blocks no job and can be stopped", async () => {
  const { queue, startWorker, openAnotherStore, untilDrained, store } = await shareJobs(postgres);
  const done: string[] = [];
  const { handler } = recordingHandler(async (person) => {
    done.push(person);
  });
  const storeWithoutLocks = { ...store, withLock: () => Promise.reject(new Error('too many clients')) };
  const runner = await startWorker({ handlers: [handler], store: storeWithoutLocks });
  await queue.add(greetKind, { person: 'U1' });
  await expect
    .poll(
      async () => (await store.pool.query('select locked_by from graphile_worker._private_jobs')).rows[0]?.locked_by,
    )
    .not.toBeNull();
  expect(runner.isUp()).toBe(false);
  await startWorker({ handlers: [handler], store: await openAnotherStore(), deadAfterSeconds: 0.2, reapEveryMs: 100 });
  await expect.poll(() => done.length > 0).toBe(true);
  await runner.stop(10);
  await untilDrained();
  expect(done).toEqual(['U1']);
});
