import { describe, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { disturbTransfer, type ProgramAction, points, programActions } from './other-program.ts';

const postgres = startTestPostgres();

describe.each(Object.keys(programActions) as ProgramAction[])('if another program %s', (action) => {
  test.each(points)('changes by another program before the last %s are detected', async (point) => {
    await disturbTransfer(postgres, action, point);
  });
});
