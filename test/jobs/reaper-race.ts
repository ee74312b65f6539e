import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { greetKind, recordingHandler, setUpJobs } from '../helpers/jobs.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import { createRandom } from '../helpers/seeded.ts';

/** Checks that two workers never run the same queue at once, even if a reaper treats live workers as dead. */
export async function runWithMistakenReaper(postgres: TestPostgres, seed: number): Promise<void> {
  const { queue, startWorker, openAnotherStore, untilDrained, store } = await setUpJobs(postgres);
  const random = createRandom(seed);
  const running = new Set<string>();
  const done: string[] = [];
  let overlaps = 0;
  const { handler } = recordingHandler(async (person) => {
    const [name = ''] = person.split('-');
    if (running.has(name)) overlaps += 1;
    running.add(name);
    await sleep(random.below(15));
    running.delete(name);
    done.push(person);
  });
  const timing = { deadAfterSeconds: 0.3, reapEveryMs: 100, concurrency: 3 };
  await startWorker({ handlers: [handler], ...timing });
  await startWorker({ handlers: [handler], ...timing, store: await openAnotherStore() });
  const people = Array.from({ length: 9 }, (_, index) => `q${index % 3}-${index}`);
  for (const person of people) await queue.add(greetKind, { person }, { queue: `transfers:${person.split('-')[0]}` });
  // Several times, unlock the jobs of every live worker, as if it were dead.
  const everyWorker = 'array(select distinct locked_by from graphile_worker._private_jobs where locked_by is not null)';
  for (let round = 0; round < 4; round += 1) {
    await store.pool.query(`select graphile_worker.force_unlock_workers(${everyWorker})`);
    await sleep(random.below(40));
  }
  // A job that was unlocked at a bad moment waits for a retry. This skips the delay.
  const retryNow = setInterval(() => {
    store.pool.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null').catch(() => {});
  }, 100);
  await untilDrained().finally(() => clearInterval(retryNow));
  expect(overlaps, `seed ${seed}`).toBe(0);
  expect(done.sort(), `seed ${seed}`).toEqual(people.sort());
}
