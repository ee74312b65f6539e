import { expect, test } from 'vitest';
import { reap } from '../../src/jobs/reaper.ts';
import { kind, recording, setUpJobs, signal } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a job that is replaced while it is about to run runs, and so does its successor', async () => {
  const { queue, work, store, drained } = await setUpJobs(postgres);
  const ran: string[] = [];
  const { handler } = recording(async (person) => {
    ran.push(person);
  });
  const where = { queue: 'announce:T1', key: 'announce T1' };
  const free = signal();
  const held = signal();
  // The job is taken and waits for this lock: that is when the next one of its key comes.
  const holding = store.withLock('announce:T1', undefined, async () => {
    held.give();
    await free.given;
  });
  await held.given;
  await queue.add(kind, { person: 'first' }, where);
  await work({ handlers: [handler] });
  for (;;) {
    const { rows } = await store.pool.query('select from graphile_worker._private_jobs where locked_by is not null');
    if (rows.length > 0) break;
  }
  await queue.add(kind, { person: 'second' }, where);
  free.give();
  await holding;
  await drained();
  expect(ran).toEqual(['first', 'second']);
});

test('a job that was replaced while it ran and then failed does not lie about for ever', async () => {
  const { queue, work, store, drained } = await setUpJobs(postgres);
  const where = { queue: 'announce:T1', key: 'announce T1' };
  const ran: string[] = [];
  const { handler } = recording(async (person) => {
    ran.push(person);
    if (person !== 'first') return;
    await queue.add(kind, { person: 'second' }, where);
    throw new Error('it fails after that');
  });
  await queue.add(kind, { person: 'first' }, where);
  await work({ handlers: [handler], reapEveryMs: 100 });
  await drained();
  expect(ran).toEqual(['first', 'second']);
  // One that waits, runs, or waits to be tried again is not touched.
  await queue.add(kind, { person: 'third' }, { runAt: new Date(Date.now() + 60_000) });
  await reap(store, 0);
  expect(await queue.size()).toBe(1);
  await store.pool.query('delete from graphile_worker._private_jobs');
});
