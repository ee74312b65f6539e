import { test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { postBatches } from './inbox-rate-limits.ts';

const postgres = startTestPostgres();

test("batches of items are posted within Slack's rate limit, each item once", async () => {
  await postBatches(postgres, { batches: 2, speed: 10 });
});
