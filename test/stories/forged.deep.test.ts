import { test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { expectRefusals } from './forged.ts';

const postgres = startTestPostgres();

test('forged clicks and forms of a stranger are refused and change nothing', () =>
  expectRefusals(postgres, 'stranger'));
