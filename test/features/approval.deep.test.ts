import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { killWhileSending } from './kill.ts';

const fixtures = { postgres: startTestPostgres(), programs: usePrograms() };

test('kill -9 at every call of an approved transfer leaves one correct one or none', async () => {
  const killed = await killWhileSending(fixtures, undefined, { needsApproval: true });
  expect(killed.length).toBeGreaterThan(10);
}, 300_000);
