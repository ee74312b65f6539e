import { test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { postWaves } from './inbox-pace.ts';

const postgres = startTestPostgres();

test('waves of items are posted within the rate limit of Slack, each once', async () => {
  await postWaves(postgres, { waves: 2, speed: 10 });
});
