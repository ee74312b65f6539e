import { test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { postWaves } from './inbox-pace.ts';

const postgres = startTestPostgres();

test('items that come in waves are posted at the pace that Slack allows, each once', async () => {
  await postWaves(postgres, { waves: 2, speed: 10 });
});
