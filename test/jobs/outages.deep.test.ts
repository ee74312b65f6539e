import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDeferred, greetKind, recordingHandler, setUpJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test.each([
  ['without a queue', {}, 'succeeds'],
  ['of a queue', { queue: 'transfers:x' }, 'succeeds'],
  ['that fails, without a queue', {}, 'fails'],
])(
  'a job %s runs again if the database is down when the job ends',
  async (_, options, outcome) => {
    const { queue, startWorker, untilDrained, database } = await setUpJobs(postgres);
    let runs = 0;
    const { handler } = recordingHandler(async () => {
      runs += 1;
      if (runs > 1) return;
      await database.disconnect();
      setTimeout(() => database.reconnect(), 1_000);
      if (outcome === 'fails') throw new Error('work failed');
    });
    await queue.add(greetKind, { person: 'U1' }, options);
    const runner = await startWorker({ handlers: [handler], deadAfterSeconds: 0.5, reapEveryMs: 100 });
    await untilDrained();
    expect(runs).toBe(2); // the end of the first run couldn't be recorded
    await expect.poll(() => runner.isUp()).toBe(true);
  },
  60_000,
);

test('jobs that fail at different times during a database outage run again', async () => {
  const { queue, startWorker, untilDrained, database } = await setUpJobs(postgres);
  const [disconnected, reconnected] = [createDeferred(), createDeferred()];
  const runs = new Map<string, number>();
  const { handler } = recordingHandler(async (person) => {
    const run = (runs.get(person) ?? 0) + 1;
    runs.set(person, run);
    if (run > 1) return;
    if (person === 'U1') {
      while (runs.size < 3) await sleep(5);
      await database.disconnect();
      disconnected.resolve();
    }
    await disconnected.promise;
    // Simultaneous ends are written in one batch. The engine breaks only when two separate writes fail.
    if (person === 'U2') await sleep(200);
    if (person === 'U3') await reconnected.promise;
    else throw new Error('work failed');
  });
  for (const person of ['U1', 'U2', 'U3']) await queue.add(greetKind, { person });
  const runner = await startWorker({ handlers: [handler], deadAfterSeconds: 0.5, reapEveryMs: 100 });
  await disconnected.promise;
  await sleep(1_000);
  await database.reconnect();
  reconnected.resolve();
  await untilDrained();
  expect([runs.get('U1'), runs.get('U2')]).toEqual([2, 2]);
  await expect.poll(() => runner.isUp()).toBe(true);
});

test.each([{}, { queue: 'transfers:x' }])(
  "a worker unlocks a job if the answer to the job's claim was lost: %j",
  async (options) => {
    const { queue, startWorker, untilDrained, store } = await setUpJobs(postgres);
    const workers = new Set<string>();
    const done: string[] = [];
    const { handler } = recordingHandler(async (person) => {
      const { rows } = await store.pool.query(
        'select locked_by from graphile_worker._private_jobs where locked_by is not null',
      );
      workers.add(rows[0]?.locked_by);
      done.push(person);
    });
    await startWorker({ handlers: [handler], deadAfterSeconds: 0.5, reapEveryMs: 100 });
    await queue.add(greetKind, { person: 'U1' });
    await untilDrained();
    await queue.add(greetKind, { person: 'U2' }, { ...options, runAt: new Date(Date.now() + 3_600_000) });
    // Lock the job and its queue, like a claim whose answer was lost.
    const claim = `set locked_by = $1, locked_at = now() - interval '1 minute'`;
    await store.pool.query(`update graphile_worker._private_job_queues ${claim}`, [...workers]);
    await store.pool.query(`update graphile_worker._private_jobs ${claim}, run_at = now()`, [...workers]);
    await untilDrained();
    expect(done).toEqual(['U1', 'U2']);
  },
);

test("the runner restarts graphile-worker if graphile-worker's first query fails", async () => {
  const { queue, startWorker, untilDrained, store } = await setUpJobs(postgres);
  const { handler } = recordingHandler(async () => {});
  const { rows } = await store.pool.query('select quote_ident(current_user) as name');
  const user = rows[0]?.name;
  await store.pool.query(`revoke insert on graphile_worker._private_tasks from ${user}`);
  await startWorker({ handlers: [handler] });
  await sleep(500);
  await store.pool.query(`grant insert on graphile_worker._private_tasks to ${user}`);
  await queue.add(greetKind, { person: 'U1' });
  await untilDrained();
});
