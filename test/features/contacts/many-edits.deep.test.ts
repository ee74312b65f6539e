import { test } from 'vitest';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { runRandomEdits } from './many-edits.ts';

const postgres = startTestPostgres();

test.each([1, 2, 3])(
  '1,000 edits with lost answers are each applied once or not at all (seed %i)',
  async (seed) => {
    await runRandomEdits(postgres, seed, 1_000);
  },
  900_000,
);
