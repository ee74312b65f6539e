import { test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { killAtEach, points } from './take-over.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test('kill -9 just before or after recording a step repeats no recorded step', async () => {
  await killAtEach(
    points.filter(({ run }) => run === 'between-3' || run === 'after-3'),
    postgres,
    programs,
  );
});
