import { expect, test } from 'vitest';
import { anna, bo } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { renaming } from './renamed.ts';

const postgres = startTestPostgres();

const draft = { files: ['F1', 'F2'], receivers: ['carl@example.org'], message: 'Hi' };

test.each([
  ['reset-after', 'sent', 2],
  ['reset-before', 'failed', 1],
] as const)('renamed files without an answer (%s) are reported as %s', async (kind, state, made) => {
  const { send, account, server } = await renaming(postgres);
  await send(bo, draft);
  server.addFault({ operation: 'createdrop', kind });
  expect(await send(anna, draft)).toMatchObject({ state });
  expect(account.drops).toHaveLength(made);
});
