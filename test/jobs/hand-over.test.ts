import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { handlerOf, jobKind } from '../../src/jobs/index.ts';
import { createDeferred, kind, recordingHandler, shareJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a worker that stops waits for its jobs', async () => {
  const { queue, work, drained } = await shareJobs(postgres);
  const done: string[] = [];
  const started = createDeferred();
  const { handler } = recordingHandler(async (person) => {
    started.resolve();
    await sleep(100);
    done.push(person);
  });
  const runner = await work({ handlers: [handler] });
  await queue.add(kind, { person: 'U1' });
  await started.promise;
  await runner.stop(5_000);
  expect(done).toEqual(['U1']);
  await drained();
});

test.each([1, 10])('an unfinished job with at most %s attempts runs at once on another worker', async (attempts) => {
  const { queue, work, openAnotherStore, drained, store } = await shareJobs(postgres);
  const slow = jobKind('slow', ['person'], { attempts });
  const outcomes: string[] = [];
  const started = createDeferred();
  let runs = 0;
  const handler = handlerOf<{ person: string }>({
    kind: slow,
    run: async (_, { signal: stop, attempt }) => {
      runs += 1;
      started.resolve();
      if (runs === 1) await new Promise((__, reject) => stop.addEventListener('abort', () => reject(stop.reason)));
      outcomes.push(`done in attempt ${attempt}`);
    },
    giveUp: async () => {
      outcomes.push('given up');
    },
  });
  const runner = await work({ handlers: [handler] });
  await queue.add(slow, { person: 'U1' }, { queue: 'outgoing:x' });
  await started.promise;
  await runner.stop(10);
  expect(outcomes).toEqual([]);
  const { rows } = await store.pool.query(
    'select run_at <= now() as now, locked_by from graphile_worker._private_jobs',
  );
  expect(rows).toEqual([{ now: true, locked_by: null }]);
  await work({ handlers: [handler], store: await openAnotherStore() });
  await drained();
  expect(outcomes).toEqual(['done in attempt 1']);
});

test("a worker that can't get its liveness lock blocks no job and can be stopped", async () => {
  const { queue, work, openAnotherStore, drained, store } = await shareJobs(postgres);
  const done: string[] = [];
  const { handler } = recordingHandler(async (person) => {
    done.push(person);
  });
  const storeWithoutLocks = { ...store, withLock: () => Promise.reject(new Error('too many clients')) };
  const runner = await work({ handlers: [handler], store: storeWithoutLocks });
  await queue.add(kind, { person: 'U1' });
  await expect
    .poll(
      async () => (await store.pool.query('select locked_by from graphile_worker._private_jobs')).rows[0]?.locked_by,
    )
    .not.toBeNull();
  expect(runner.isUp()).toBe(false);
  await work({ handlers: [handler], store: await openAnotherStore(), deadAfterSeconds: 0.2, reapEveryMs: 100 });
  await expect.poll(() => done.length > 0).toBe(true);
  await runner.stop(10);
  await drained();
  expect(done).toEqual(['U1']);
});
