import { test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { postCrowd, postWaves } from './inbox-pace.ts';

const postgres = startTestPostgres();

test('500 items at once are one post; the list behind it has each of them once', async () => {
  await postCrowd(postgres, 63);
}, 120_000);

test('twelve waves of items are posted at the pace that Slack allows, each once', async () => {
  await postWaves(postgres, { waves: 12, speed: 1 });
}, 300_000);
