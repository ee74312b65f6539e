import { test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { postCrowd, postWaves } from './inbox-pace.ts';

const postgres = startTestPostgres();

test('500 items at once make one post, and its list shows each of them once', async () => {
  await postCrowd(postgres, 63);
}, 120_000);

test('twelve waves of items are posted within the rate limit of Slack, each once', async () => {
  await postWaves(postgres, { waves: 12, speed: 1 });
}, 300_000);
