import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { killWhileEditing, killWhileRequesting, killWhileSending } from './kill.ts';

const given = { postgres: startTestPostgres(), programs: usePrograms() };

/** Kills after the calls whose outcome a crash leaves unknown; the deep tier kills at every call. */
test('kill -9 right after createdrop: one correct transfer, and nothing left over', async () => {
  const killed = await killWhileSending(given, [{ call: 'createDispatch', where: 'after' }]);
  expect(killed).toHaveLength(1);
});

test('kill -9 right after contacts_add: the edit is done, no other contact changed', async () => {
  expect(await killWhileEditing(given, [{ call: 'replaceContacts', where: 'after' }])).toHaveLength(1);
});

test('kill -9 right after givedrop: access is given once, or reported as unknown', async () => {
  expect(await killWhileRequesting(given, [{ call: 'grantAccess', where: 'after' }])).toHaveLength(1);
});
