import { expect, test } from 'vitest';
import { contactId } from '../../../src/features/contacts/list/ids.ts';
import { contactsOf, createContactCaches } from '../../../src/features/contacts/list/operations.ts';
import { findChoice } from '../../../src/features/contacts/list/suggest.ts';
import type { TransferServices } from '../../../src/features/transfers/kind.ts';
import { bounds } from '../../../src/lib/bounds.ts';
import { filledIn } from '../../../src/slack/form.ts';
import { adding, setUpContacts } from '../../helpers/contacts.ts';
import { anna, setUpFeatures } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

test("contact lists over 64 MB aren't cached and evict no other list", async () => {
  const setup = await setUpFeatures(postgres);
  const services: TransferServices = {
    ...setup.services,
    contactCaches: createContactCaches({ contactsTtlMs: 60_000 }),
  };
  await setup.addWorkspace('T2');
  const nick = 'x'.repeat(6_000_000);
  const large = [1, 2, 3, 4].map((number) => ({ email: `p${number}@example.org`, nick }));
  Object.assign(setup.account.contacts, { local: large, global: large });
  const readsOf = async (workspace: string) => {
    const before = setup.server.calls.length;
    await contactsOf(services, { workspace });
    return setup.server.calls.slice(before).filter(({ operation }) => operation === 'contacts_read').length;
  };
  expect(await readsOf('T2')).toBe(1);
  expect([await readsOf('T1'), await readsOf('T1')]).toEqual([1, 1]);
  expect(await readsOf('T2')).toBe(0);
});

test('a contact list that is too large to store is never edited', async () => {
  const { account, change, writes, startWorker } = await setUpContacts(postgres);
  await startWorker();
  const nick = 'x'.repeat(bounds.contactListBytes / 2);
  account.contacts.local.push({ email: 'x@example.org', nick }, { email: 'y@example.org', nick });
  expect(await change(anna, adding('new@example.org'))).toMatchObject({
    state: 'failed',
    code: 'invalid',
    message: expect.stringContaining('too large to edit here (limit 8 MB)'),
  });
  expect(writes()).toEqual([]);
  account.contacts.local.pop();
  expect(await change(anna, adding('new@example.org'))).toMatchObject({ state: 'done', added: 1 });
});

test('choosing 100 of 10,000 contacts takes less than a second of CPU', async () => {
  const { services, account } = await setUpFeatures(postgres);
  account.contacts.local = Array.from({ length: 10_000 }, (_, number) => ({ email: `p${number}@example.org` }));
  const chosen = account.contacts.local.slice(-100).map(({ email }) => String(email));
  const options = chosen.map((email) => ({
    value: contactId(email),
    text: { type: 'plain_text' as const, text: email },
  }));
  const values = { recipients: { recipients: { type: 'multi_external_select', selected_options: options } } };
  const before = process.cpuUsage();
  const found = await findChoice(services, { workspace: 'T1' }, filledIn({ blocks: [], state: { values } }));
  // Comparing each choice with all contacts would take several seconds.
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  expect(found).toMatchObject({ problem: undefined, chosen: { recipients: chosen, groups: [] } });
});
