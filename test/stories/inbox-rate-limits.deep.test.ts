import { test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { postBatches, postManyItems } from './inbox-rate-limits.ts';

const postgres = startTestPostgres();

test('500 items at once make one post, and the list shows each item once', async () => {
  await postManyItems(postgres, 63);
}, 120_000);

test("twelve batches of items are posted within Slack's rate limit, each item once", async () => {
  await postBatches(postgres, { batches: 12, speed: 1 });
}, 300_000);
