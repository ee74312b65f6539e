import { expect, test } from 'vitest';
import { reap } from '../../src/jobs/reaper.ts';
import { createDeferred, kind, recordingHandler, shareJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a claimed job that is replaced before it runs still runs, then its replacement', async () => {
  const { queue, work, store, drained } = await shareJobs(postgres);
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
  await queue.add(kind, { person: 'first' }, options);
  await work({ handlers: [handler] });
  for (;;) {
    const { rows } = await store.pool.query('select from graphile_worker._private_jobs where locked_by is not null');
    if (rows.length > 0) break;
  }
  await queue.add(kind, { person: 'second' }, options);
  free.resolve();
  await holding;
  await drained();
  expect(ran).toEqual(['first', 'second']);
});

test('a job that is replaced while it runs is deleted when it fails', async () => {
  const { queue, work, store, drained } = await shareJobs(postgres);
  const options = { queue: 'announce:T1', key: 'announce T1' };
  const ran: string[] = [];
  const { handler } = recordingHandler(async (person) => {
    ran.push(person);
    if (person !== 'first') return;
    await queue.add(kind, { person: 'second' }, options);
    throw new Error('fails after being replaced');
  });
  await queue.add(kind, { person: 'first' }, options);
  await work({ handlers: [handler], reapEveryMs: 100 });
  await drained();
  expect(ran).toEqual(['first', 'second']);
  // Jobs that wait, run or wait for a retry are not deleted.
  await queue.add(kind, { person: 'third' }, { runAt: new Date(Date.now() + 60_000) });
  await reap(store, 0);
  expect(await queue.size()).toBe(1);
  await store.pool.query('delete from graphile_worker._private_jobs');
});
