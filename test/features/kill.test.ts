import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { killWhileEditing, killWhileRequesting, killWhileSending } from './kill.ts';

const fixtures = { postgres: startTestPostgres(), programs: usePrograms() };

// These tests kill after the calls whose outcome a crash leaves unknown; the deep tier kills at every call.

test('kill -9 right after createdrop leaves one correct transfer and no leftovers', async () => {
  const killed = await killWhileSending(fixtures, [{ call: 'createDispatch', where: 'after' }]);
  expect(killed).toHaveLength(1);
});

test('an edit killed right after contacts_add is completed and changes nothing else', async () => {
  expect(await killWhileEditing(fixtures, [{ call: 'replaceContacts', where: 'after' }])).toHaveLength(1);
});

test('a request killed right after givedrop is sent once or reported as unknown', async () => {
  expect(await killWhileRequesting(fixtures, [{ call: 'grantAccess', where: 'after' }])).toHaveLength(1);
});
