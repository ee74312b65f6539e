import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { kind, recordingHandler, setUpJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test("a worker that loses a job's lock stops before the next step and retries the job", async () => {
  const { queue, work, drained, store } = await setUpJobs(postgres);
  const steps: string[] = [];
  const { handler } = recordingHandler(async (_, { step, attempt }) => {
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
