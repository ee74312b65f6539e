import { test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { postCrowd, postWaves } from './inbox-pace.ts';

const postgres = startTestPostgres();

test('500 items at once are one post; the list behind it starts with the newest', async () => {
  await postCrowd(postgres, 3);
});

test('items that come in waves are posted at the pace that Slack allows, each once', async () => {
  await postWaves(postgres, { waves: 2, speed: 10 });
});
