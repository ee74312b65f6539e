import { expect, test } from 'vitest';
import { connect } from '../../../src/features/account/connect/operations.ts';
import { connectionOf } from '../../../src/features/common/connection.ts';
import type { Change } from '../../../src/features/contacts/edit/diff.ts';
import { changeContacts, recentlyChanged } from '../../../src/features/contacts/edit/operations.ts';
import { editsIn } from '../../../src/features/contacts/edit/repository.ts';
import { groupsOf } from '../../../src/features/contacts/list/ids.ts';
import { contactsOf, createContactCaches } from '../../../src/features/contacts/list/operations.ts';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import {
  adding,
  changingNick,
  done,
  parsed,
  removing,
  setUpContacts,
  type TypedChange,
} from '../../helpers/contacts.ts';
import { apiKey, failureOf } from '../../helpers/exchange.ts';
import { admin, anna, bo, until } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

test('added, edited, removed and grouped contacts are saved and reported to the author', async () => {
  const { account, services, change, notifications, startWorker } = await setUpContacts(postgres);
  account.contacts.global.push({ email: 'all@example.org', groups: ['board'] });
  await startWorker();
  const [carl, dora, emil] = structuredClone(account.contacts.local);
  const fay = { email: 'fay@example.org', number: '+46 (70) 000-00 04', nick: ' Fay ', groups: ['board', 'board'] };
  expect(await change(anna, { kind: 'add', contacts: [fay] })).toEqual(done({ added: 1 }));
  const asStored = { email: 'fay@example.org', number: '46700000004', nick: 'Fay', groups: ['board'] };
  expect(account.contacts.local).toEqual([carl, dora, emil, asStored]);
  expect(await change(bo, changingNick('CARL@example.org', 'Karl'))).toEqual(done({ updated: 1 }));
  expect(await change(bo, removing('dora@example.net'))).toEqual(done({ removed: 1 }));
  const grouping: Change = { kind: 'group', group: 'friends', join: ['emil@example.com'], leave: [] };
  expect(await change(anna, grouping)).toEqual(done({ updated: 1 }));
  expect(account.contacts.local).toEqual([{ ...carl, nick: 'Karl' }, { ...emil, groups: ['friends'] }, asStored]);
  expect(notifications.edits.map(({ person }) => person)).toEqual([anna, bo, bo, anna].map(({ person }) => person));
  expect(notifications.alarms).toEqual([]);

  const lists = await contactsOf(services, { workspace: 'T1' });
  expect(lists.local.map(({ email }) => email)).toEqual(['carl@example.org', 'emil@example.com', 'fay@example.org']);
  const groups = [...groupsOf(lists)].map(([name, members]) => [name, members.map(({ email }) => email)]);
  expect(groups).toEqual([
    ['board', ['carl@example.org', 'fay@example.org', 'all@example.org']],
    ['friends', ['emil@example.com']],
  ]);
});

test('an edit of the members of a group keeps the other groups of these contacts', async () => {
  const { account, change, startWorker } = await setUpContacts(postgres);
  await startWorker();
  account.contacts.local[0] = { email: 'carl@example.org', groups: ['a', 'board', 'b'] };
  const group: Change = { kind: 'group', group: 'board', join: ['emil@example.com'], leave: ['carl@example.org'] };
  expect(await change(anna, group)).toEqual(done({ updated: 2 }));
  expect(account.contacts.local.map(({ groups }) => groups)).toEqual([['a', 'b'], ['board'], ['board']]);
});

test.each([
  ['an existing address', { email: 'carl@example.org' }],
  ['an existing address in another case', { email: 'CARL@Example.ORG' }],
  ['an address managed by the service', { email: 'Global@example.org' }],
])('%s is refused before any write', async (_, contact) => {
  const { account, change, startWorker, writes, emails } = await setUpContacts(postgres);
  account.contacts.global.push({ email: 'global@example.org' });
  await startWorker();
  const contacts = [{ email: 'new@example.org' }, contact];
  expect(await change(anna, { kind: 'add', contacts })).toMatchObject({ code: 'exists', names: [contact.email] });
  const conflicting: TypedChange = { kind: 'edit', email: 'dora@example.net', fields: { email: contact.email } };
  expect(await change(anna, conflicting)).toMatchObject({ code: 'exists' });
  expect(writes()).toEqual([]);
  expect(emails()).toEqual(['carl@example.org', 'dora@example.net', 'emil@example.com']);
});

test('adding an address twice and removing an unknown or managed one are refused', async () => {
  const { account, change, startWorker, writes } = await setUpContacts(postgres);
  account.contacts.global.push({ email: 'global@example.org' });
  await startWorker();
  expect(await change(anna, adding('x@example.org', 'X@example.org'))).toMatchObject({ code: 'exists' });
  expect(await change(anna, removing('nobody@example.org'))).toMatchObject({
    code: 'not-found',
    names: ['nobody@example.org'],
  });
  expect(await change(anna, removing('carl@example.org', 'global@example.org'))).toMatchObject({
    code: 'not-allowed',
    message: expect.stringContaining('managed by the service'),
  });
  expect(writes()).toEqual([]);
});

test('an edit without changes writes nothing; the case of an address can be edited', async () => {
  const { store, change, startWorker, untilDrained, writes, emails } = await setUpContacts(postgres);
  await startWorker();
  expect(await change(anna, changingNick('carl@example.org', 'Carl'))).toEqual(done());
  expect(writes()).toEqual([]);
  await untilDrained();
  const { rows } = await store.pool.query(
    'select before_encrypted from dropline.contact_edits where reconciled_at > now() - $1::interval',
    ['1 minute'],
  );
  expect(rows).toEqual([{ before_encrypted: null }]);
  const fields = { email: 'Carl@Example.org' };
  expect(await change(anna, { kind: 'edit', email: 'carl@example.org', fields })).toEqual(done({ updated: 1 }));
  expect(emails()[0]).toBe('Carl@Example.org');
});

test('the last contact can be removed, and an empty list can get a contact', async () => {
  const { account, change, startWorker, emails } = await setUpContacts(postgres);
  account.contacts.local.splice(1);
  await startWorker();
  expect(await change(anna, removing('carl@example.org'))).toEqual(done({ removed: 1 }));
  expect(account.contacts.local).toEqual([]);
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
  expect(emails()).toEqual(['new@example.org']);
});

test('a field that the service would not accept is refused by its name', () => {
  expect(() => adding('no address')).toThrow(expect.objectContaining({ code: 'invalid', field: 'email' }));
  const wrongNumber = { kind: 'edit', email: 'carl@example.org', fields: { number: '12' } } as const;
  expect(() => parsed(wrongNumber)).toThrow(expect.objectContaining({ field: 'number' }));
  const noName: TypedChange = { kind: 'group', group: '  ', join: [], leave: [] };
  expect(() => parsed(noName)).toThrow(expect.objectContaining({ field: 'group' }));
});

test('the permission to edit contacts is checked on submit and again in the job', async () => {
  const { services, roles, change, awaitOutcome, startWorker, writes, notifications } = await setUpContacts(postgres);
  const edit = await changeContacts(services, anna, adding('new@example.org'));
  await changeSettings(services, admin, { contactEditors: 'admins' });
  await startWorker();
  expect(await awaitOutcome(edit)).toMatchObject({ state: 'failed', code: 'not-allowed' });
  expect(await failureOf(changeContacts(services, bo, adding('new@example.org')))).toMatchObject({
    code: 'not-allowed',
  });
  expect(writes()).toEqual([]);
  expect(await change(admin, adding('new@example.org'))).toEqual(done({ added: 1 }));
  roles.set(admin.person, 'none');
  expect(await failureOf(changeContacts(services, admin, adding('x@example.org')))).toMatchObject({
    code: 'not-allowed',
  });
  expect(notifications.edits).toHaveLength(2);
});

test('the audit log shows person, action and outcome; recent edits show their author', async () => {
  const { services, store, change, startWorker } = await setUpContacts(postgres);
  await startWorker();
  await change(anna, adding('new@example.org'));
  await change(bo, adding('NEW@example.org'));
  await change(bo, changingNick('carl@example.org', 'K'));
  await change(bo, removing('dora@example.net'));
  const entries = (await store.audit.list('T1')).filter(({ action }) => action.startsWith('contacts'));
  expect(entries.map(({ person, action, outcome }) => [person, action, outcome])).toEqual([
    [bo.person, 'contacts remove', 'done'],
    [bo.person, 'contacts edit', 'done'],
    [bo.person, 'contacts add', 'exists'],
    [anna.person, 'contacts add', 'done'],
  ]);
  expect(entries.at(-1)?.details).toMatchObject({ contacts: ['new@example.org'], added: 1 });
  const { changes, isAll } = await recentlyChanged(services, { workspace: 'T1' }, [
    'carl@example.org',
    'New@example.org',
    'emil@example.com',
  ]);
  expect(isAll).toBe(true);
  expect([...changes].map(([email, { person }]) => [email, person])).toEqual([
    ['carl@example.org', bo.person],
    ['new@example.org', anna.person],
  ]);
});

test('the audit log and the recent changes show the old and the new mobile number', async () => {
  const { services, store, change, startWorker } = await setUpContacts(postgres);
  await startWorker();
  await change(bo, { kind: 'edit', email: 'carl@example.org', fields: { number: '46709999999' } });
  await change(anna, { kind: 'edit', email: 'carl@example.org', fields: { email: 'carlo@example.org', groups: [] } });
  await change(anna, removing('dora@example.net'));
  const entries = (await store.audit.list('T1')).filter(({ action }) => action.startsWith('contacts'));
  expect(entries.map(({ details }) => (details as { changes?: string[] }).changes)).toEqual([
    [expect.stringContaining('dora@example.net: mobile number “46700000002” → not set')],
    ['carl@example.org: email “carl@example.org” → “carlo@example.org”, groups “board” → not set'],
    ['carl@example.org: mobile number “46700000001” → “46709999999”'],
  ]);
  const number = { field: 'number', from: '46700000001', to: '46709999999' };
  const { changes } = await recentlyChanged(services, { workspace: 'T1' }, ['carl@example.org', 'carlo@example.org']);
  expect(Object.fromEntries(changes)).toMatchObject({
    'carl@example.org': { person: bo.person, number },
    'carlo@example.org': { person: anna.person },
  });
  await change(anna, { kind: 'edit', email: 'carlo@example.org', fields: { email: 'carl@example.org' } });
  const { changes: later } = await recentlyChanged(services, { workspace: 'T1' }, ['carl@example.org']);
  expect(later.get('carl@example.org')).toMatchObject({ person: bo.person, number });
});

test('a finished edit stores only the contacts that it changed', async () => {
  const { services, store, change, startWorker } = await setUpContacts(postgres);
  await startWorker();
  await change(anna, changingNick('carl@example.org', 'K'));
  const { account } = (await connectionOf(services, { workspace: 'T1' })).exchange;
  const { edits } = await editsIn(store).listRecent(account);
  expect(edits).toHaveLength(1);
  const { rows } = await store.pool.query<{ id: string }>('select id from dropline.contact_edits');
  expect(await editsIn(store).readSent('T1', rows[0]?.id ?? '')).toMatchObject({
    before: [{ nick: 'Carl' }],
    after: [{ nick: 'K' }],
    outcome: 'done',
  });
  expect(await editsIn(store).readRequest('T1', rows[0]?.id ?? '')).toBeUndefined();
});

test("an edit isn't made on an account that was connected after it was requested", async () => {
  const { services, server, awaitOutcome, startWorker, writes } = await setUpContacts(postgres);
  const edit = await changeContacts(services, anna, adding('new@example.org'));
  const username = 'other@example.com';
  server.addAccount({ user: username, apiKey });
  await connect(services, admin, { baseUrl: server.url, username, apiKey });
  await startWorker();
  expect(await awaitOutcome(edit)).toMatchObject({ state: 'failed', code: 'not-connected' });
  expect(writes()).toHaveLength(0);
});

test('a failed notification is retried without repeating the edit', async () => {
  const { services, startWorker, awaitOutcome, writes, store } = await setUpContacts(postgres);
  let failures = 2;
  const flakyServices: typeof services = {
    ...services,
    notifier: {
      ...services.notifier,
      async contactsEdited(edit, outcome) {
        if (failures-- > 0) throw new Error('Slack is unavailable');
        await services.notifier.contactsEdited(edit, outcome);
      },
    },
  };
  await startWorker({ services: flakyServices });
  const edit = await changeContacts(services, anna, adding('new@example.org'));
  expect(await awaitOutcome(edit)).toEqual(done({ added: 1 }));
  expect(writes()).toHaveLength(1);
  expect((await store.audit.list('T1', { action: 'contacts add' })).every(({ outcome }) => outcome === 'done')).toBe(
    true,
  );
});

test('concurrent reads of contacts share one request, cached until the next edit', async () => {
  const { services, server, account, startWorker } = await setUpContacts(postgres, { isSeparate: true });
  const cachingServices = { ...services, contactCaches: createContactCaches({ contactsTtlMs: 60_000 }) };
  const reads = () => server.calls.filter(({ operation }) => operation === 'contacts_read').length;
  const before = reads();
  await Promise.all([
    contactsOf(cachingServices, { workspace: 'T1' }),
    contactsOf(cachingServices, { workspace: 'T1' }),
  ]);
  await contactsOf(cachingServices, { workspace: 'T1' });
  expect(reads() - before).toBe(1);
  account.contacts.local.pop();
  expect((await contactsOf(cachingServices, { workspace: 'T1' })).local).toHaveLength(3);
  expect((await contactsOf(cachingServices, { workspace: 'T1' }, { fresh: true })).local).toHaveLength(2);
  await startWorker({ services: cachingServices });
  await changeContacts(services, anna, adding('new@example.org'));
  const isShown = async () =>
    (await contactsOf(cachingServices, { workspace: 'T1' })).local.some(({ email }) => email === 'new@example.org');
  await until(async () => (await isShown()) || undefined, 'the new list to be shown');
});

test("a failed read of contacts isn't cached", async () => {
  const { services, server } = await setUpContacts(postgres);
  const cachingServices = { ...services, contactCaches: createContactCaches({ contactsTtlMs: 60_000 }) };
  server.addFault({ operation: 'contacts_read', kind: 'reset-before' });
  expect(await failureOf(contactsOf(cachingServices, { workspace: 'T1' }))).toMatchObject({ code: 'cut-short' });
  expect((await contactsOf(cachingServices, { workspace: 'T1' })).local).toHaveLength(3);
});
