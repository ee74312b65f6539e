import { describe, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { disturbTransfer, type ProgramAction, points, programActions } from './other-program.ts';

const postgres = startTestPostgres();

describe.each(Object.keys(programActions) as ProgramAction[])('if another program %s', (action) => {
  test.each(points)('before the last %s, nothing unconfirmed is sent unnoticed', async (point) => {
    await disturbTransfer(postgres, action, point);
  });
});
