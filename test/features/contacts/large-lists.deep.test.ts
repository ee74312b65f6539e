import { expect, test } from 'vitest';
import type { Services } from '../../../src/features/common/services.ts';
import { contactsOf } from '../../../src/features/contacts/list/operations.ts';
import { quickTiming, setUpFeatures } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

test('contact lists over 64 MB are not cached and evict no other lists', async () => {
  const setup = await setUpFeatures(postgres);
  const services: Services = { ...setup.services, timing: { ...quickTiming, contactsTtlMs: 60_000 } };
  await setup.addWorkspace('T2');
  const nick = 'x'.repeat(6_000_000);
  const large = [1, 2, 3, 4].map((number) => ({ email: `p${number}@example.org`, nick }));
  Object.assign(setup.account.contacts, { local: large, global: large });
  const readsOf = async (workspace: string) => {
    const before = setup.server.calls.length;
    await contactsOf(services, workspace);
    return setup.server.calls.slice(before).filter(({ operation }) => operation === 'contacts_read').length;
  };
  expect(await readsOf('T2')).toBe(1);
  expect([await readsOf('T1'), await readsOf('T1')]).toEqual([1, 1]);
  expect(await readsOf('T2')).toBe(0);
});
