import { test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { runWithMistakenReaper } from './reaper-race.ts';

const postgres = startTestPostgres();

test.each([1, 2, 3, 4, 5])(
  'two workers never run one queue concurrently, even if both are reaped (seed %i)',
  async (seed) => {
    await runWithMistakenReaper(postgres, seed);
  },
  90_000,
);
