import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { greetKind, recordingHandler, setUpJobs } from '../helpers/jobs.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('if a job loses its lock, it stops before its next step and is retried', async () => {
  const { queue, startWorker, untilDrained, store } = await setUpJobs(postgres);
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
  await startWorker({ handlers: [handler] });
  await queue.add(greetKind, { person: 'U1' }, { queue: 'transfers:x' });
  await untilDrained();
  expect(steps).toEqual(['one in attempt 1', 'two in attempt 2']);
});
