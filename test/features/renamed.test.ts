import { expect, test } from 'vitest';
import { anna, bo, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();
const draft = { files: ['F1', 'F2'], receivers: ['carl@example.org'], message: 'Hi' };

/** A service that renames the files it stores and keeps them after sending. */
async function renaming() {
  const behaviour = { uploadNames: 'changed', uploadsAfterDispatch: 'kept' } as const;
  const setup = await setUpFeatures(postgres, { server: { behaviour } });
  setup.shelf.put('F1', 'the plan.pdf', 'the plan');
  setup.shelf.put('F2', 'the map.png', 'the map');
  await setup.work();
  return setup;
}

test('renamed files are sent, found in the history and removed by their new names', async () => {
  const { send, account, heard } = await renaming();
  for (const person of [anna, bo]) expect(await send(person, draft)).toMatchObject({ state: 'sent' });
  const names = account.drops.map(({ files }) => files.map(({ name }) => name));
  expect(names).toEqual([
    ['the_plan.pdf', 'the_map.png'],
    ['the_plan.pdf', 'the_map.png'],
  ]);
  expect(account.uploads).toEqual([]);
  expect(heard.alarms).toEqual([]);
});

test.each([
  ['reset-after', 'sent', 2],
  ['reset-before', 'failed', 1],
] as const)('renamed files without an answer (%s) are reported as %s', async (kind, state, made) => {
  const { send, account, server } = await renaming();
  await send(bo, draft);
  server.addFault({ operation: 'createdrop', kind });
  expect(await send(anna, draft)).toMatchObject({ state });
  expect(account.drops).toHaveLength(made);
});
