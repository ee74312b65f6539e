import { expect, test } from 'vitest';
import { anna, bo } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { draft, setUpRenaming } from './renamed-files.ts';

const postgres = startTestPostgres();

test('renamed files are sent, found in the history and removed by their new names', async () => {
  const { send, account, notifications } = await setUpRenaming(postgres);
  for (const person of [anna, bo]) expect(await send(person, draft)).toMatchObject({ state: 'sent' });
  const names = account.drops.map(({ files }) => files.map(({ name }) => name));
  expect(names).toEqual([
    ['the_plan.pdf', 'the_map.png'],
    ['the_plan.pdf', 'the_map.png'],
  ]);
  expect(account.uploads).toEqual([]);
  expect(notifications.alarms).toEqual([]);
});
