import { expect, test } from 'vitest';
import type { Contact } from '../../../src/sandbox/exchange/index.ts';
import { adding, done, hurry, interleaved, naming, removing, setUpContacts } from '../../helpers/contacts.ts';
import { anna, until } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();
const guest: Contact = { email: 'guest@example.org', nick: 'Guest', note: { by: 'somebody else' } };

/** Another client of the service, which acts between two calls of ours. */
async function withForeignClient(when: 'beforeWrite' | 'afterWrite', act: (local: Contact[]) => Contact[]) {
  let foreign = () => {};
  const setup = await setUpContacts(postgres, { wrap: interleaved({ [when]: [() => foreign()] }) });
  const { account } = setup;
  foreign = () => {
    account.contacts.local = act(account.contacts.local);
  };
  await setup.work();
  return setup;
}

const without = (gone: string) => (local: Contact[]) => local.filter(({ email }) => email !== gone);

test('a contact that somebody else adds just after our write stays', async () => {
  const { change, account, heard } = await withForeignClient('afterWrite', (local) => [...local, guest]);
  const [carl, dora, emil] = structuredClone(account.contacts.local);
  expect(await change(anna, naming('carl@example.org', 'K'))).toEqual(done({ updated: 1 }));
  expect(account.contacts.local).toEqual([{ ...carl, nick: 'K' }, dora, emil, guest]);
  expect(heard.alarms).toEqual([]);
});

test('a contact that is gone just after our write is put back, beside what came, and it is said', async () => {
  const act = (local: Contact[]) => [guest, ...without('dora@example.net')(local)];
  const { change, account, heard } = await withForeignClient('afterWrite', act);
  const [carl, dora, emil] = structuredClone(account.contacts.local);
  expect(await change(anna, naming('carl@example.org', 'K'))).toEqual(
    done({ updated: 1, mended: ['dora@example.net'] }),
  );
  expect(account.contacts.local).toEqual([guest, { ...carl, nick: 'K' }, emil, dora]);
  expect(heard.alarms).toEqual([{ kind: 'contacts-mended', person: anna.person, emails: ['dora@example.net'] }]);
});

test('a list that somebody else empties just after our write is put back whole', async () => {
  const { change, account } = await withForeignClient('afterWrite', () => []);
  const before = structuredClone(account.contacts.local);
  const outcome = await change(anna, adding('new@example.org'));
  expect(outcome).toEqual(done({ added: 1, mended: before.map(({ email }) => email) }));
  expect(account.contacts.local).toEqual([...before, { email: 'new@example.org' }]);
});

test('a contact that we remove stays removed, whatever else is put back', async () => {
  const { change, emails } = await withForeignClient('afterWrite', without('emil@example.com'));
  expect(await change(anna, removing('carl@example.org'))).toEqual(done({ removed: 1, mended: ['emil@example.com'] }));
  expect(emails()).toEqual(['dora@example.net', 'emil@example.com']);
});

test('a contact that somebody else changes just after our write is left as it is now, and it is said', async () => {
  const act = (local: Contact[]) =>
    local.map((contact) => (contact.email === 'dora@example.net' ? { ...contact, number: '46799999999' } : contact));
  const { change, account, heard } = await withForeignClient('afterWrite', act);
  expect(await change(anna, naming('carl@example.org', 'K'))).toEqual(
    done({ updated: 1, altered: ['dora@example.net'] }),
  );
  expect(account.contacts.local[1]).toMatchObject({ number: '46799999999' });
  expect(heard.alarms).toEqual([{ kind: 'contacts-mended', person: anna.person, emails: ['dora@example.net'] }]);
});

test('an edit that somebody else undoes at once is told as not done, not as done', async () => {
  const act = (local: Contact[]) =>
    local.map((contact) => (contact.nick === 'K' ? { ...contact, nick: 'Carl' } : contact));
  const { change, account } = await withForeignClient('afterWrite', act);
  expect(await change(anna, naming('carl@example.org', 'K'))).toMatchObject({
    state: 'failed',
    code: 'unknown',
    sentence: expect.stringContaining('does not show it'),
  });
  expect(account.contacts.local[0]).toMatchObject({ nick: 'Carl' });
});

test('what somebody else removes between our reading and our write comes back with it: nobody can know', async () => {
  const { change, emails } = await withForeignClient('beforeWrite', without('dora@example.net'));
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
  expect(emails()).toEqual(['carl@example.org', 'dora@example.net', 'emil@example.com', 'new@example.org']);
});

test('an edit that was lost beside a foreign change is not done again over it', async () => {
  const { change, server, account, writes } = await withForeignClient('beforeWrite', (local) => [...local, guest]);
  server.addFault({ operation: 'contacts_add', kind: 'reset-before' });
  expect(await change(anna, naming('carl@example.org', 'K'))).toMatchObject({ state: 'failed', code: 'cut-short' });
  expect(account.contacts.local).toHaveLength(4);
  expect(account.contacts.local).toContainEqual(guest);
  expect(writes()).toHaveLength(1);
});

test('a new address that was lost beside a foreign change is added to what is there', async () => {
  const { change, server, account, heard } = await withForeignClient('beforeWrite', (local) => [...local, guest]);
  server.addFault({ operation: 'contacts_add', kind: 'reset-before' });
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
  expect(account.contacts.local.slice(-2)).toEqual([guest, { email: 'new@example.org' }]);
  expect(heard.alarms).toEqual([]);
});

test('another address for a contact, lost beside a foreign change, leaves the one contact as it was', async () => {
  const { change, server, emails } = await withForeignClient('beforeWrite', (local) => [...local, guest]);
  server.addFault({ operation: 'contacts_add', kind: 'reset-before' });
  const renamed = await change(anna, { kind: 'edit', email: 'carl@example.org', fields: { email: 'k@example.org' } });
  expect(renamed).toMatchObject({ state: 'failed', code: 'cut-short' });
  expect(emails()).toEqual(['carl@example.org', 'dora@example.net', 'emil@example.com', 'guest@example.org']);
});

test('what had to be put back is told although the reading after it broke off', async () => {
  const afterWrite: (() => void)[] = [];
  const { change, server, account, heard, work } = await setUpContacts(postgres, { wrap: interleaved({ afterWrite }) });
  await work();
  const before = structuredClone(account.contacts.local);
  afterWrite.push(
    () => {
      account.contacts.local = without('dora@example.net')(account.contacts.local);
    },
    () => void server.addFault({ operation: 'contacts_read', kind: 'reset-before' }),
  );
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1, mended: ['dora@example.net'] }));
  expect(account.contacts.local).toHaveLength(before.length + 1);
  expect(heard.alarms).toEqual([{ kind: 'contacts-mended', person: anna.person, emails: ['dora@example.net'] }]);
});

test('a list that is taken apart again and again is told as unknown in the end, and mended when that stops', async () => {
  const afterWrite: (() => void)[] = [];
  const { services, queue, change, account, heard, work, emails } = await setUpContacts(postgres, {
    wrap: interleaved({ afterWrite }),
  });
  await work();
  const takeApart = () => {
    account.contacts.local = without('dora@example.net')(account.contacts.local);
  };
  // Five attempts, each of which puts back four times.
  afterWrite.push(...Array.from({ length: 1 + 5 * 4 }, () => takeApart));
  expect(await change(anna, naming('carl@example.org', 'K'))).toMatchObject({
    code: 'unknown',
    sentence: expect.stringMatching(/missing.*put back as soon as/),
    names: ['dora@example.net'],
  });
  expect(heard.alarms).toEqual([]);
  await until(async () => {
    await hurry(services);
    return (await queue.size()) === 0 || undefined;
  }, 'the edit to be settled');
  expect(emails().sort()).toEqual(['carl@example.org', 'dora@example.net', 'emil@example.com']);
  expect(heard.alarms).toEqual([{ kind: 'contacts-mended', person: anna.person, emails: ['dora@example.net'] }]);
});
