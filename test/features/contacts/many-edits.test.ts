import { test } from 'vitest';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { runRandomEdits } from './many-edits.ts';

const postgres = startTestPostgres();

test('edits by three people with lost answers are each applied once or not at all', async () => {
  await runRandomEdits(postgres, 1, 18);
});
