import { test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { runWithErringReaper } from './erring-reaper.ts';

const postgres = startTestPostgres();

test.each([1, 2, 3, 4, 5])(
  'two workers never run one queue, even if the reaper is wrong (seed %i)',
  async (seed) => {
    await runWithErringReaper(postgres, seed);
  },
  90_000,
);
