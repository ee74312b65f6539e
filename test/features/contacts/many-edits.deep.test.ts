import { test } from 'vitest';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { runRandomEdits } from './many-edits.ts';

const postgres = startTestPostgres();

// At the same time, because they mostly wait for answers that were lost.
test('1,000 edits with lost answers are each applied once or not at all (three seeds)', async () => {
  const runs = [1, 2, 3].map(async (seed) => {
    await runRandomEdits(postgres, seed, 1_000, { isSeparate: true }).catch((cause: unknown) => {
      throw new Error(`seed ${seed} failed`, { cause });
    });
  });
  await Promise.all(runs);
}, 900_000);
