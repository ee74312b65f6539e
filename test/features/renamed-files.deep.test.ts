import { expect, test } from 'vitest';
import { anna, bo } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { draft, setUpRenaming } from './renamed-files.ts';

const postgres = startTestPostgres();

test.each([
  ['reset-after', 'sent', 2],
  ['reset-before', 'failed', 1],
] as const)('an unanswered transfer of renamed files (%s) is reported as %s', async (kind, state, sentCount) => {
  const { send, account, server } = await setUpRenaming(postgres);
  await send(bo, draft);
  server.addFault({ operation: 'createdrop', kind });
  expect(await send(anna, draft)).toMatchObject({ state });
  expect(account.drops).toHaveLength(sentCount);
});
