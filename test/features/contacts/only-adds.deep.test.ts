import { expect, test } from 'vitest';
import { changeContacts } from '../../../src/features/contacts/edit/operations.ts';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import { readSettings } from '../../../src/features/settings/repository.ts';
import type { Behaviour, Contact } from '../../../src/sandbox/exchange/index.ts';
import { adding, changingNick, done, removing, setUpContacts, withWriteHooks } from '../../helpers/contacts.ts';
import { admin, anna, bo } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();
const guest: Contact = { email: 'guest@example.org', nick: 'Guest' };

/** A service that replaces the list or only adds to it, and an add-only setting that can be wrong for the service. */
async function setUpAddSetting(contactsAdd: Behaviour['contactsAdd'], contactsOnlyAdd: boolean) {
  const afterWrite: (() => void)[] = [];
  const server = { behaviour: { contactsAdd } };
  const setup = await setUpContacts(postgres, { server, wrap: withWriteHooks({ afterWrite }) });
  await changeSettings(setup.services, admin, { contactsOnlyAdd });
  await setup.startWorker();
  const isOn = async () => (await readSettings(setup.services, { workspace: 'T1' })).contactsOnlyAdd;
  return { ...setup, afterWrite, isOn, before: structuredClone(setup.account.contacts.local) };
}

test('if the service refuses a whole list, the error explains the add-only setting', async () => {
  const { account, change, isOn, before, writes, notifications } = await setUpAddSetting('refuse-existing', false);
  for (const edit of [adding('new@example.org'), changingNick('carl@example.org', 'K'), removing('carl@example.org')]) {
    expect(await change(anna, edit)).toMatchObject({
      state: 'failed',
      code: 'only-adds',
      message: expect.stringContaining('Add-only service'),
    });
  }
  expect(account.contacts.local).toEqual(before);
  // Each list is sent once, and again if its token was stale. No shorter list is ever tried.
  expect(writes().every(({ outcome }) => outcome === 'refused')).toBe(true);
  expect(await isOn()).toBe(false);
  expect(notifications.alarms).toEqual([]);
});

test('with the add-only setting, the service gets only new contacts', async () => {
  const { account, change, isOn, before, writes } = await setUpAddSetting('refuse-existing', true);
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
  const contacts = [{ email: 'a@example.org' }, { email: 'b@example.org' }];
  expect(await change(bo, { kind: 'import', contacts })).toEqual(done({ added: 2 }));
  expect(account.contacts.local).toEqual([...before, { email: 'new@example.org' }, ...contacts]);
  expect(writes().map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  expect(await isOn()).toBe(true);
});

test('with the add-only setting, edits and removals are refused before any write', async () => {
  const { account, change, before, writes } = await setUpAddSetting('refuse-existing', true);
  const contacts = [{ email: 'new@example.org' }, { email: 'carl@example.org', nick: 'K' }];
  for (const edit of [
    changingNick('carl@example.org', 'K'),
    removing('carl@example.org'),
    { kind: 'import', contacts } as const,
  ]) {
    const failed = {
      code: 'only-adds',
      names: ['carl@example.org'],
      message: expect.stringContaining('add-only service'),
    };
    expect(await change(anna, { ...edit })).toMatchObject(failed);
  }
  expect(writes()).toEqual([]);
  expect(account.contacts.local).toEqual(before);
});

test.each(['reset-after', 'reset-before', 'reset-during'] as const)(
  'an add-only service adds a contact once if the connection breaks (%s)',
  async (kind) => {
    const { account, server, change, before, isOn } = await setUpAddSetting('refuse-existing', true);
    server.addFault({ operation: 'contacts_add', kind });
    expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
    expect(account.contacts.local).toEqual([...before, { email: 'new@example.org' }]);
    expect(await isOn()).toBe(true);
  },
);

test('the add-only setting turns itself off on a service that replaces whole lists', async () => {
  const { account, change, isOn, before, notifications } = await setUpAddSetting('replace', true);
  const restored = before.map(({ email }) => email);
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1, restored }));
  expect(account.contacts.local).toEqual([{ email: 'new@example.org' }, ...before]);
  expect(await isOn()).toBe(false);
  expect(notifications.alarms).toEqual([{ kind: 'contacts-restored', person: anna.person, emails: restored }]);
  expect(await change(anna, changingNick('carl@example.org', 'K'))).toEqual(done({ updated: 1 }));
});

test('correcting the add-only setting keeps concurrent changes to other settings', async () => {
  const { services, server, awaitOutcome, isOn } = await setUpAddSetting('replace', true);
  server.addFault({ operation: 'contacts_add', kind: 'reset-after' });
  const restoring = server.addFault({ operation: 'contacts_add', kind: 'delay' });
  const edit = await changeContacts(services, anna, adding('new@example.org'));
  await restoring.triggered;
  await changeSettings(services, admin, { message: 'Hello' });
  await restoring.release();
  expect(await awaitOutcome(edit)).toMatchObject({ state: 'done' });
  expect(await isOn()).toBe(false);
  expect((await readSettings(services, { workspace: 'T1' })).message).toBe('Hello');
});

test.each([
  ['reset-before', 1],
  ['reset-after', 1],
  ['answer', 2],
  ['wrong-token', 2],
] as const)('contacts lost because of the add-only setting are restored (fault: %s)', async (kind, times) => {
  const { account, server, change, isOn, before, afterWrite } = await setUpAddSetting('replace', true);
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

test('a contact lost on an add-only service is restored without sending the whole list', async () => {
  const { account, change, isOn, afterWrite, emails } = await setUpAddSetting('refuse-existing', true);
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

test('the add-only setting stays on if a service without contacts accepts a whole list', async () => {
  const { account, change, isOn, afterWrite, before } = await setUpAddSetting('refuse-existing', true);
  afterWrite.push(() => {
    account.contacts.local = [];
  });
  expect(await change(anna, adding('new@example.org'))).toMatchObject({ state: 'done' });
  expect(account.contacts.local).toEqual([...before, { email: 'new@example.org' }]);
  expect(await isOn()).toBe(true);
});

test('if a list is refused and a contact is lost, the error names the add-only setting', async () => {
  const { services, account, server, change, awaitOutcome, emails } = await setUpAddSetting('refuse-existing', false);
  const refused = server.addFault({ operation: 'contacts_add', kind: 'delay' });
  const edit = await changeContacts(services, anna, adding('new@example.org'));
  await refused.triggered;
  account.contacts.local = account.contacts.local.slice(1);
  await refused.release();
  expect(await awaitOutcome(edit)).toMatchObject({
    code: 'unknown',
    message: expect.stringContaining("If it's an add-only service"),
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
