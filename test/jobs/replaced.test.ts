import { expect, test } from 'vitest';
import { reap } from '../../src/jobs/reaper.ts';
import { createDeferred, greetKind, recordingHandler, shareJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('if a claimed job is replaced before it runs, both run, the old one first', async () => {
  const { queue, startWorker, store, untilDrained } = await shareJobs(postgres);
  const ran: string[] = [];
  const { handler } = recordingHandler(async (person) => {
    ran.push(person);
  });
  const options = { queue: 'announce:T1', key: 'announce T1' };
  const free = createDeferred();
  const held = createDeferred();
  // The job is claimed and waits for this lock when the next job with its key is added.
  const holding = store.withLock('announce:T1', undefined, async () => {
    held.resolve();
    await free.promise;
  });
  await held.promise;
  await queue.add(greetKind, { person: 'first' }, options);
  await startWorker({ handlers: [handler] });
  for (;;) {
    const { rows } = await store.pool.query('select from graphile_worker._private_jobs where locked_by is not null');
    if (rows.length > 0) break;
  }
  await queue.add(greetKind, { person: 'second' }, options);
  free.resolve();
  await holding;
  await untilDrained();
  expect(ran).toEqual(['first', 'second']);
});

test('if a running job is replaced and then fails, the old job is deleted', async () => {
  const { queue, startWorker, store, untilDrained } = await shareJobs(postgres);
  const options = { queue: 'announce:T1', key: 'announce T1' };
  const ran: string[] = [];
  const { handler } = recordingHandler(async (person) => {
    ran.push(person);
    if (person !== 'first') return;
    await queue.add(greetKind, { person: 'second' }, options);
    throw new Error('fails after being replaced');
  });
  await queue.add(greetKind, { person: 'first' }, options);
  await startWorker({ handlers: [handler], reapEveryMs: 100 });
  await untilDrained();
  expect(ran).toEqual(['first', 'second']);
  // A waiting job is not deleted.
  await queue.add(greetKind, { person: 'third' }, { runAt: new Date(Date.now() + 60_000) });
  await reap(store, 0);
  expect(await queue.size()).toBe(1);
  await store.pool.query('delete from graphile_worker._private_jobs');
});

test('a waiting job that is added again never runs later, unless it is debounced', async () => {
  const { queue, store } = await shareJobs(postgres);
  const start = Date.now();
  const at = (seconds: number) => new Date(start + seconds * 1000);
  const runAt = async () => (await store.pool.query('select run_at from graphile_worker.jobs')).rows[0].run_at;
  for (const [given, isDebounced, expected] of [
    [at(60), false, at(60)],
    [at(90), false, at(60)],
    [at(90), true, at(90)],
    [at(30), false, at(30)],
    [at(-30), false, at(-30)],
    [undefined, false, at(-30)],
  ] as const) {
    await queue.add(greetKind, { person: 'U1' }, { key: 'one', runAt: given, isDebounced });
    expect(await runAt()).toEqual(expected);
  }
});
