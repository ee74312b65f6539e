import { test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { runWithMistakenReaper } from './mistaken-reaper.ts';

const postgres = startTestPostgres();

test.each([1, 2, 3, 4, 5])(
  'two workers never run the same queue at once, even if the reaper errs (seed %i)',
  async (seed) => {
    await runWithMistakenReaper(postgres, seed);
  },
  90_000,
);
