import { describe, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { type Act, acts, disturbTransfer, points } from './other-program.ts';

const postgres = startTestPostgres();

describe.each(Object.keys(acts) as Act[])('another program %s', (act) => {
  test.each(points)('before the last %s, and nothing wrong is sent unnoticed', async (point) => {
    await disturbTransfer(postgres, act, point);
  });
});
