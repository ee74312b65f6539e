import { expect, test } from 'vitest';
import { setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { cellsOf, expectedOutcomes, use, ways } from './rights-moments.ts';

const postgres = startTestPostgres();

test.each(Object.keys(ways).flatMap(cellsOf))('$right, lost before $moment: a person who $way', async (cell) => {
  const { right, way, moment } = cell;
  const setup = await setUpFeatures(postgres);
  expect(await use(setup, right, way, moment)).toEqual(expectedOutcomes(right, moment));
});
