import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { handlerOf, jobKind } from '../../src/jobs/index.ts';
import { createDeferred, greetKind, recordingHandler, shareJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('when a worker stops, it waits for its jobs', async () => {
  const { queue, startWorker, untilDrained } = await shareJobs(postgres);
  const done: string[] = [];
  const started = createDeferred();
  const { handler } = recordingHandler(async (person) => {
    started.resolve();
    await sleep(100);
    done.push(person);
  });
  const runner = await startWorker({ handlers: [handler] });
  await queue.add(greetKind, { person: 'U1' });
  await started.promise;
  await runner.stop(5_000);
  expect(done).toEqual(['U1']);
  await untilDrained();
});

test.each([1, 10])(
  'the unfinished job of a stopped worker runs again at once, as attempt 1 of %s',
  async (attempts) => {
    const { queue, startWorker, openAnotherStore, untilDrained, store } = await shareJobs(postgres);
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
    const runner = await startWorker({ handlers: [handler] });
    await queue.add(slow, { person: 'U1' }, { queue: 'transfers:x' });
    await started.promise;
    await runner.stop(10);
    expect(outcomes).toEqual([]);
    const { rows } = await store.pool.query(
      'select run_at <= now() as now, locked_by from graphile_worker._private_jobs',
    );
    expect(rows).toEqual([{ now: true, locked_by: null }]);
    await startWorker({ handlers: [handler], store: await openAnotherStore() });
    await untilDrained();
    expect(outcomes).toEqual(['done in attempt 1']);
  },
);
