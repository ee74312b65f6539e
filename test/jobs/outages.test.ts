import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { kind, recording, setUpJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test.each([
  ['without a queue', {}, 'ends well'],
  ['of a queue', { queue: 'outgoing:x' }, 'ends well'],
  ['without a queue', {}, 'fails'],
])(
  'a job %s at whose end the database is away costs neither the process nor the job',
  async (_, options, how) => {
    const { queue, work, drained, database } = await setUpJobs(postgres);
    let runs = 0;
    const { handler } = recording(async () => {
      runs += 1;
      if (runs > 1) return;
      await database.goAway();
      setTimeout(() => database.comeBack(), 1_000);
      if (how === 'fails') throw new Error('no luck');
    });
    await queue.add(kind, { person: 'U1' }, options);
    const runner = await work({ handlers: [handler], deadAfterSeconds: 0.5, reapEveryMs: 100 });
    await drained();
    expect(runs).toBe(2); // its end could not be written down, so nobody can know
    await expect.poll(() => runner.isUp()).toBe(true);
  },
  60_000,
);

test('a worker whose database connections are cut stops before its next step, and the work is taken up again', async () => {
  const { queue, work, drained, store } = await setUpJobs(postgres);
  const steps: string[] = [];
  const { handler } = recording(async (_, { step, attempt }) => {
    await step('one', async () => {
      steps.push(`one in attempt ${attempt}`);
    });
    if (attempt === 1) {
      await store.pool
        .query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'dropline lock'`,
        )
        .catch(() => {});
      await sleep(50);
    }
    await step('two', async () => {
      steps.push(`two in attempt ${attempt}`);
    });
  });
  await work({ handlers: [handler] });
  await queue.add(kind, { person: 'U1' }, { queue: 'outgoing:x' });
  await drained();
  expect(steps).toEqual(['one in attempt 1', 'two in attempt 2']);
});
