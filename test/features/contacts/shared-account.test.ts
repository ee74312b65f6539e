import { expect, test } from 'vitest';
import { makeContact } from '../../../src/exchange/index.ts';
import { connectionOf } from '../../../src/features/common/connection.ts';
import { recentlyChanged } from '../../../src/features/contacts/edit/operations.ts';
import { editsIn } from '../../../src/features/contacts/edit/repository.ts';
import {
  cachedContacts,
  clearCachedContacts,
  contactsOf,
  createContactCaches,
} from '../../../src/features/contacts/list/operations.ts';
import type { TransferServices } from '../../../src/features/transfers/kind.ts';
import { adding } from '../../helpers/contacts.ts';
import { setUpFeatures } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

/** T2 also uses the account of T1, with the same key or a revoked one. */
async function setUpSharedAccount({ apiKey }: { apiKey?: string } = {}) {
  // Needs a separate store: the cache of a store keeps the time to live that it was created with.
  const setup = await setUpFeatures(postgres, { isSeparate: true });
  const { store } = setup;
  const credentials = await store.credentials.get({ workspace: 'T1' });
  if (credentials === undefined) throw new Error('T1 is not connected');
  await store.credentials.set('T2', { ...credentials, ...(apiKey === undefined ? {} : { apiKey }) });
  const services: TransferServices = {
    ...setup.services,
    contactCaches: createContactCaches({ contactsTtlMs: 60_000 }),
  };
  const seenBy = async (workspace: string, read = contactsOf) =>
    (await read(services, { workspace })).local.map(({ email }) => email);
  return { ...setup, services, seenBy };
}

const all = ['carl@example.org', 'dora@example.net', 'emil@example.com'];

test('a workspace with a revoked key sees no contacts that another workspace has read', async () => {
  const { seenBy } = await setUpSharedAccount({ apiKey: 'revoked' });
  expect(await seenBy('T1')).toEqual(all);
  await expect(seenBy('T2')).rejects.toThrow('Wrong account or API key');
  await expect(seenBy('T2', cachedContacts)).rejects.toThrow('Wrong account or API key');
});

test("an error for one workspace isn't shared with another workspace", async () => {
  const { seenBy } = await setUpSharedAccount({ apiKey: 'revoked' });
  const [refused, seen] = await Promise.allSettled([seenBy('T2'), seenBy('T1')]);
  expect(refused.status).toBe('rejected');
  expect(seen).toEqual({ status: 'fulfilled', value: all });
});

test('clearing the cached contacts of an account clears them for all its workspaces', async () => {
  const { seenBy, account, services } = await setUpSharedAccount();
  for (const workspace of ['T1', 'T2']) expect(await seenBy(workspace)).toEqual(all);
  account.contacts.local = account.contacts.local.slice(1);
  for (const workspace of ['T1', 'T2']) expect(await seenBy(workspace)).toEqual(all);
  const { exchange } = await connectionOf(services, { workspace: 'T1' });
  clearCachedContacts(services, exchange.account);
  for (const workspace of ['T1', 'T2']) expect(await seenBy(workspace)).toEqual(all.slice(1));
});

test('a change by another workspace is listed without its author', async () => {
  const { services, store } = await setUpSharedAccount();
  const { account } = (await connectionOf(services, { workspace: 'T1' })).exchange;
  const carl = makeContact({ email: 'carl@example.org', nick: 'Carl' });
  const edits = editsIn(store);
  const edit = { workspace: 'T2', account, person: 'U-theirs', change: adding() };
  const lists = { before: [], after: [carl] };
  const sent = await edits.begin({ ...edit, id: await edits.add(store.pool, edit) }, lists);
  await edits.close(store.pool, sent, 'done', lists);
  const { changes } = await recentlyChanged(services, { workspace: 'T1' }, ['Carl@example.org', 'dora@example.net']);
  expect([...changes]).toEqual([['carl@example.org', { person: undefined, at: expect.any(Date) }]]);
  const { changes: own } = await recentlyChanged(services, { workspace: 'T2' }, ['carl@example.org']);
  expect(own.get('carl@example.org')).toMatchObject({ person: 'U-theirs' });
});
