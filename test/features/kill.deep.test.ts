import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { editing, killDuring, requesting, sending } from './kill.ts';

const fixtures = { postgres: startTestPostgres(), programs: usePrograms() };

test('kill -9 before or after any call of a send leaves one correct transfer or none', async () => {
  const killed = await killDuring(fixtures, sending());
  expect([...new Set(killed.map((call) => call.split(' ')[2]))].sort()).toEqual([
    'createDispatch',
    'listFiles',
    'readContacts',
    'readHistory',
    'setReceivers',
    'upload',
  ]);
}, 240_000);

test('a contact edit survives kill -9 before or after any call and loses no contact', async () => {
  expect((await killDuring(fixtures, editing())).length).toBeGreaterThan(4);
}, 120_000);

test('after kill -9 at any call, a request is sent once or reported as unknown', async () => {
  expect((await killDuring(fixtures, requesting())).length).toBeGreaterThan(4);
}, 120_000);
