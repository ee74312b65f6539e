import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { editing, killDuring, requesting, sending } from './kill.ts';

const fixtures = { postgres: startTestPostgres(), programs: usePrograms() };

// Kills after the calls whose outcome a crash leaves unknown; the deep tier kills at every call.
test('kill -9 after createdrop, contacts_add or givedrop loses or repeats no action', async () => {
  const killed = await killDuring(
    fixtures,
    sending([{ call: 'createDispatch', where: 'after' }]),
    editing([{ call: 'replaceContacts', where: 'after' }]),
    requesting([{ call: 'grantAccess', where: 'after' }]),
  );
  expect(killed).toHaveLength(3);
}, 240_000);
