import { describe, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { type ClientAction, clientActions, disturbTransfer, interceptedCalls } from './other-client.ts';

const postgres = startTestPostgres();

describe.each(Object.keys(clientActions) as ClientAction[])('if another client %s', (action) => {
  test.each(interceptedCalls)(
    'before the last %s, a visible change stops the transfer or is reported',
    async (call) => {
      await disturbTransfer(postgres, action, call);
    },
  );
});
