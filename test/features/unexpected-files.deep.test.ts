import { describe, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { type ClientAction, clientActions, disturbTransfer, interceptedCalls } from './other-client.ts';

const postgres = startTestPostgres();

describe.each(Object.keys(clientActions) as ClientAction[])('if another client %s', (action) => {
  test.each(interceptedCalls)('a change by another client before the last %s is detected', async (call) => {
    await disturbTransfer(postgres, action, call);
  });
});
