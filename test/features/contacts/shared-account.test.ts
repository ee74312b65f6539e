import { expect, test } from 'vitest';
import { connectionOf } from '../../../src/features/connection.ts';
import { contactsAtHand, contactsOf, forgetContacts } from '../../../src/features/contacts/lists.ts';
import type { Services } from '../../../src/features/services.ts';
import { quickTiming, setUpFeatures } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

/** T2 is connected to the account of T1, too, with the same key or with one that is none any more. */
async function setUpTwo({ apiKey }: { apiKey?: string } = {}) {
  const setup = await setUpFeatures(postgres);
  const { store } = setup;
  const credentials = await store.credentials.get('T1');
  if (credentials === undefined) throw new Error('T1 is not connected');
  await store.credentials.set('T2', { ...credentials, ...(apiKey === undefined ? {} : { apiKey }) });
  const services: Services = { ...setup.services, timing: { ...quickTiming, contactsLifeMs: 60_000 } };
  const seenBy = async (workspace: string, look = contactsOf) =>
    (await look(services, workspace)).local.map(({ email }) => email);
  return { ...setup, services, seenBy };
}

const all = ['carl@example.org', 'dora@example.net', 'emil@example.com'];

test('a workspace whose key was revoked sees nothing of what another reads from the account that they shared', async () => {
  const { seenBy } = await setUpTwo({ apiKey: 'revoked' });
  expect(await seenBy('T1')).toEqual(all);
  await expect(seenBy('T2')).rejects.toThrow('refuses this account and key');
  await expect(seenBy('T2', contactsAtHand)).rejects.toThrow('refuses this account and key');
});

test('its refusal is not the answer to those of the other', async () => {
  const { seenBy } = await setUpTwo({ apiKey: 'revoked' });
  const [refused, seen] = await Promise.allSettled([seenBy('T2'), seenBy('T1')]);
  expect(refused.status).toBe('rejected');
  expect(seen).toEqual({ status: 'fulfilled', value: all });
});

test('after an edit, every workspace of the account reads anew', async () => {
  const { seenBy, account, services } = await setUpTwo();
  for (const workspace of ['T1', 'T2']) expect(await seenBy(workspace)).toEqual(all);
  account.contacts.local = account.contacts.local.slice(1);
  for (const workspace of ['T1', 'T2']) expect(await seenBy(workspace)).toEqual(all);
  const { exchange } = await connectionOf(services, 'T1');
  forgetContacts(services, exchange.account);
  for (const workspace of ['T1', 'T2']) expect(await seenBy(workspace)).toEqual(all.slice(1));
});
