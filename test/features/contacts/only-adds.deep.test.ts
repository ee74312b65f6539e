import { expect, test } from 'vitest';
import { changeContacts } from '../../../src/features/contacts/operations.ts';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import { readSettings } from '../../../src/features/settings/stored.ts';
import type { Behaviour, Contact } from '../../../src/sandbox/exchange/index.ts';
import { adding, done, interleaved, naming, removing, setUpContacts } from '../../helpers/contacts.ts';
import { admin, anna, bo } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();
const guest: Contact = { email: 'guest@example.org', nick: 'Guest' };

/** A service of either kind, with a setting that is right or wrong about it. */
async function setUpReading(contactsAdd: Behaviour['contactsAdd'], contactsOnlyAdd: boolean) {
  const afterWrite: (() => void)[] = [];
  const server = { behaviour: { contactsAdd } };
  const setup = await setUpContacts(postgres, { server, wrap: interleaved({ afterWrite }) });
  await changeSettings(setup.services, admin, { contactsOnlyAdd });
  await setup.work();
  const isOn = async () => (await readSettings(setup.services, 'T1')).contactsOnlyAdd;
  return { ...setup, afterWrite, isOn, before: structuredClone(setup.account.contacts.local) };
}

test('a refused whole list is reported with its fix; nothing is changed or guessed', async () => {
  const { account, change, isOn, before, writes, heard } = await setUpReading('refuse-existing', false);
  for (const edit of [adding('new@example.org'), naming('carl@example.org', 'K'), removing('carl@example.org')]) {
    expect(await change(anna, edit)).toMatchObject({
      state: 'failed',
      code: 'only-adds',
      sentence: expect.stringContaining('this service only adds'),
    });
  }
  expect(account.contacts.local).toEqual(before);
  // Each list is sent once, and again if its token was stale. No shorter list is ever tried.
  expect(writes().every(({ outcome }) => outcome === 'refused')).toBe(true);
  expect(await isOn()).toBe(false);
  expect(heard.alarms).toEqual([]);
});

test('with the setting on, an add-only service gets only the new contacts', async () => {
  const { account, change, isOn, before, writes } = await setUpReading('refuse-existing', true);
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
  const contacts = [{ email: 'a@example.org' }, { email: 'b@example.org' }];
  expect(await change(bo, { kind: 'import', contacts })).toEqual(done({ added: 2 }));
  expect(account.contacts.local).toEqual([...before, { email: 'new@example.org' }, ...contacts]);
  expect(writes().map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  expect(await isOn()).toBe(true);
});

test('with the setting on, edits and removals are refused before any write', async () => {
  const { account, change, before, writes } = await setUpReading('refuse-existing', true);
  const contacts = [{ email: 'new@example.org' }, { email: 'carl@example.org', nick: 'K' }];
  for (const edit of [
    naming('carl@example.org', 'K'),
    removing('carl@example.org'),
    { kind: 'import', contacts } as const,
  ]) {
    const failed = { code: 'only-adds', names: ['carl@example.org'], sentence: expect.stringContaining('(a setting)') };
    expect(await change(anna, { ...edit })).toMatchObject(failed);
  }
  expect(writes()).toEqual([]);
  expect(account.contacts.local).toEqual(before);
});

test.each(['reset-after', 'reset-before', 'reset-during'] as const)(
  'an added contact is there once after a lost answer (%s)',
  async (kind) => {
    const { account, server, change, before, isOn } = await setUpReading('refuse-existing', true);
    server.addFault({ operation: 'contacts_add', kind });
    expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
    expect(account.contacts.local).toEqual([...before, { email: 'new@example.org' }]);
    expect(await isOn()).toBe(true);
  },
);

test('the setting on a replacing service is reported, switched off, loses nothing', async () => {
  const { account, change, isOn, before, heard } = await setUpReading('replace', true);
  const restored = before.map(({ email }) => email);
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1, restored }));
  expect(account.contacts.local).toEqual([{ email: 'new@example.org' }, ...before]);
  expect(await isOn()).toBe(false);
  expect(heard.alarms).toEqual([{ kind: 'contacts-restored', person: anna.person, emails: restored }]);
  expect(await change(anna, naming('carl@example.org', 'K'))).toEqual(done({ updated: 1 }));
});

test('switching off the wrong setting keeps concurrent changes to other settings', async () => {
  const { services, server, outcomeOf, isOn } = await setUpReading('replace', true);
  server.addFault({ operation: 'contacts_add', kind: 'reset-after' });
  const putBack = server.addFault({ operation: 'contacts_add', kind: 'delay' });
  const asked = await changeContacts(services, anna, adding('new@example.org'));
  await putBack.struck;
  await changeSettings(services, admin, { message: 'Hello' });
  await putBack.release();
  expect(await outcomeOf(asked)).toMatchObject({ state: 'done' });
  expect(await isOn()).toBe(false);
  expect((await readSettings(services, 'T1')).message).toBe('Hello');
});

test.each([
  ['reset-before', 1],
  ['reset-after', 1],
  ['answer', 2],
  ['wrong-token', 2],
] as const)('contacts lost to a wrong setting survive a failing restore (%s)', async (kind, times) => {
  const { account, server, change, isOn, before, afterWrite } = await setUpReading('replace', true);
  afterWrite.push(() => {
    account.contacts.local.push(guest);
    server.addFault({ operation: 'contacts_add', kind, times, answer: { body: '<p>busy</p>' } });
  });
  expect(await change(anna, adding('new@example.org'))).toMatchObject({ state: 'done', added: 1 });
  const byEmail = (one: Contact, other: Contact) => (one.email < other.email ? -1 : 1);
  const all = [...before, guest, { email: 'new@example.org' }];
  expect(account.contacts.local.toSorted(byEmail)).toEqual(all.toSorted(byEmail));
  expect(await isOn()).toBe(false);
});

test('on an add-only service, a removed contact is restored without the whole list', async () => {
  const { account, change, isOn, afterWrite, emails } = await setUpReading('refuse-existing', true);
  afterWrite.push(() => {
    account.contacts.local = [...account.contacts.local.slice(1), guest];
  });
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1, restored: ['carl@example.org'] }));
  expect(emails()).toEqual([
    'dora@example.net',
    'emil@example.com',
    'new@example.org',
    'guest@example.org',
    'carl@example.org',
  ]);
  expect(await isOn()).toBe(true);
});

test('an empty add-only service that accepts a list does not disprove the setting', async () => {
  const { account, change, isOn, afterWrite, before } = await setUpReading('refuse-existing', true);
  afterWrite.push(() => {
    account.contacts.local = [];
  });
  expect(await change(anna, adding('new@example.org'))).toMatchObject({ state: 'done' });
  expect(account.contacts.local).toEqual([...before, { email: 'new@example.org' }]);
  expect(await isOn()).toBe(true);
});

test('a refused list with a missing contact names the setting, which then fixes it', async () => {
  const { services, account, server, change, outcomeOf, emails } = await setUpReading('refuse-existing', false);
  const refused = server.addFault({ operation: 'contacts_add', kind: 'delay' });
  const asked = await changeContacts(services, anna, adding('new@example.org'));
  await refused.struck;
  account.contacts.local = account.contacts.local.slice(1);
  await refused.release();
  expect(await outcomeOf(asked)).toMatchObject({
    code: 'unknown',
    sentence: expect.stringContaining('If it only adds contacts'),
    names: ['carl@example.org', 'new@example.org'],
  });
  await changeSettings(services, admin, { contactsOnlyAdd: true });
  expect(await change(bo, adding('next@example.org'))).toEqual(done({ added: 1 }));
  expect(emails()).toEqual([
    'dora@example.net',
    'emil@example.com',
    'carl@example.org',
    'new@example.org',
    'next@example.org',
  ]);
});
