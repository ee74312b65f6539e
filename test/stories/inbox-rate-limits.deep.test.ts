import { expect, test } from 'vitest';
import { bounds } from '../../src/bounds.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { postBatches, postInChannels, postManyItems } from './inbox-rate-limits.ts';

const postgres = startTestPostgres();

test('500 items at once make one post, and the list shows each item once', async () => {
  await postManyItems(postgres, 63);
}, 120_000);

test("twelve batches of items are posted within Slack's rate limit, each item once", async () => {
  await postBatches(postgres, { batches: 12, speed: 1 });
}, 300_000);

test('checks of 40 channels stay within their rate limit, even if posts must wait', async () => {
  const { checks } = await postInChannels(postgres, { channels: bounds.routes, itemsEach: 6, speed: 10 });
  expect(checks.size).toBe(bounds.routes);
}, 120_000);
