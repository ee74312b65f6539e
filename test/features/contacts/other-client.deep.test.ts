import { expect, test } from 'vitest';
import type { Contact } from '../../../src/sandbox/exchange/index.ts';
import {
  adding,
  changingNick,
  done,
  removing,
  runJobsNow,
  setUpContacts,
  withWriteHooks,
} from '../../helpers/contacts.ts';
import { anna, until } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();
const guest: Contact = { email: 'guest@example.org', nick: 'Guest', note: { by: 'somebody else' } };

/** A workspace whose contacts another client changes once, right before or after our first write. */
async function withOtherClient(when: 'beforeWrite' | 'afterWrite', otherChange: (local: Contact[]) => Contact[]) {
  let changeList = () => {};
  const setup = await setUpContacts(postgres, { wrap: withWriteHooks({ [when]: [() => changeList()] }) });
  const { account } = setup;
  changeList = () => {
    account.contacts.local = otherChange(account.contacts.local);
  };
  await setup.startWorker();
  return setup;
}

const without = (gone: string) => (local: Contact[]) => local.filter(({ email }) => email !== gone);

test('if another client adds a contact right after our write, the contact stays', async () => {
  const { change, account, notifications } = await withOtherClient('afterWrite', (local) => [...local, guest]);
  const [carl, dora, emil] = structuredClone(account.contacts.local);
  expect(await change(anna, changingNick('carl@example.org', 'K'))).toEqual(done({ updated: 1 }));
  expect(account.contacts.local).toEqual([{ ...carl, nick: 'K' }, dora, emil, guest]);
  expect(notifications.alarms).toEqual([]);
});

test('if a contact disappears right after our write, it is restored and reported', async () => {
  const otherChange = (local: Contact[]) => [guest, ...without('dora@example.net')(local)];
  const { change, account, notifications } = await withOtherClient('afterWrite', otherChange);
  const [carl, dora, emil] = structuredClone(account.contacts.local);
  expect(await change(anna, changingNick('carl@example.org', 'K'))).toEqual(
    done({ updated: 1, restored: ['dora@example.net'] }),
  );
  expect(account.contacts.local).toEqual([guest, { ...carl, nick: 'K' }, emil, dora]);
  expect(notifications.alarms).toEqual([
    { kind: 'contacts-restored', person: anna.person, emails: ['dora@example.net'] },
  ]);
});

test('if another client empties the list right after our write, the list is restored', async () => {
  const { change, account } = await withOtherClient('afterWrite', () => []);
  const before = structuredClone(account.contacts.local);
  const outcome = await change(anna, adding('new@example.org'));
  expect(outcome).toEqual(done({ added: 1, restored: before.map(({ email }) => email) }));
  expect(account.contacts.local).toEqual([...before, { email: 'new@example.org' }]);
});

test('a contact that we removed stays removed when other contacts are restored', async () => {
  const { change, emails } = await withOtherClient('afterWrite', without('emil@example.com'));
  expect(await change(anna, removing('carl@example.org'))).toEqual(
    done({ removed: 1, restored: ['emil@example.com'] }),
  );
  expect(emails()).toEqual(['dora@example.net', 'emil@example.com']);
});

test('we keep and report a change that another client makes after our write', async () => {
  const otherChange = (local: Contact[]) =>
    local.map((contact) => (contact.email === 'dora@example.net' ? { ...contact, number: '46799999999' } : contact));
  const { change, account, notifications } = await withOtherClient('afterWrite', otherChange);
  expect(await change(anna, changingNick('carl@example.org', 'K'))).toEqual(
    done({ updated: 1, altered: ['dora@example.net'] }),
  );
  expect(account.contacts.local[1]).toMatchObject({ number: '46799999999' });
  expect(notifications.alarms).toEqual([
    { kind: 'contacts-restored', person: anna.person, emails: ['dora@example.net'] },
  ]);
});

test('if another client immediately undoes an edit, the outcome is reported as unknown', async () => {
  const otherChange = (local: Contact[]) =>
    local.map((contact) => (contact.nick === 'K' ? { ...contact, nick: 'Carl' } : contact));
  const { change, account } = await withOtherClient('afterWrite', otherChange);
  expect(await change(anna, changingNick('carl@example.org', 'K'))).toMatchObject({
    state: 'failed',
    code: 'unknown',
    message: expect.stringContaining("doesn't show it"),
  });
  expect(account.contacts.local[0]).toMatchObject({ nick: 'Carl' });
});

test('if another client removes a contact between our read and write, it comes back', async () => {
  const { change, emails } = await withOtherClient('beforeWrite', without('dora@example.net'));
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
  expect(emails()).toEqual(['carl@example.org', 'dora@example.net', 'emil@example.com', 'new@example.org']);
});

test("an edit with a lost write isn't retried over a change by another client", async () => {
  const { change, server, account, writes } = await withOtherClient('beforeWrite', (local) => [...local, guest]);
  server.addFault({ operation: 'contacts_add', kind: 'reset-before' });
  expect(await change(anna, changingNick('carl@example.org', 'K'))).toMatchObject({
    state: 'failed',
    code: 'cut-short',
  });
  expect(account.contacts.local).toHaveLength(4);
  expect(account.contacts.local).toContainEqual(guest);
  expect(writes()).toHaveLength(1);
});

test('a lost write of a new contact is retried on the list that another client changed', async () => {
  const { change, server, account, notifications } = await withOtherClient('beforeWrite', (local) => [...local, guest]);
  server.addFault({ operation: 'contacts_add', kind: 'reset-before' });
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
  expect(account.contacts.local.slice(-2)).toEqual([guest, { email: 'new@example.org' }]);
  expect(notifications.alarms).toEqual([]);
});

test('a lost address change is not retried over a change by another client', async () => {
  const { change, server, emails } = await withOtherClient('beforeWrite', (local) => [...local, guest]);
  server.addFault({ operation: 'contacts_add', kind: 'reset-before' });
  const renamed = await change(anna, { kind: 'edit', email: 'carl@example.org', fields: { email: 'k@example.org' } });
  expect(renamed).toMatchObject({ state: 'failed', code: 'cut-short' });
  expect(emails()).toEqual(['carl@example.org', 'dora@example.net', 'emil@example.com', 'guest@example.org']);
});

test('restored contacts are reported even if the read after the restore fails', async () => {
  const afterWrite: (() => void)[] = [];
  const { change, server, account, notifications, startWorker } = await setUpContacts(postgres, {
    wrap: withWriteHooks({ afterWrite }),
  });
  await startWorker();
  const before = structuredClone(account.contacts.local);
  afterWrite.push(
    () => {
      account.contacts.local = without('dora@example.net')(account.contacts.local);
    },
    () => void server.addFault({ operation: 'contacts_read', kind: 'reset-before' }),
  );
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1, restored: ['dora@example.net'] }));
  expect(account.contacts.local).toHaveLength(before.length + 1);
  expect(notifications.alarms).toEqual([
    { kind: 'contacts-restored', person: anna.person, emails: ['dora@example.net'] },
  ]);
});

test('if contacts keep disappearing, the outcome is unknown; they are restored later', async () => {
  const afterWrite: (() => void)[] = [];
  const { services, queue, change, account, notifications, startWorker, emails } = await setUpContacts(postgres, {
    wrap: withWriteHooks({ afterWrite }),
  });
  await startWorker();
  const removeDora = () => {
    account.contacts.local = without('dora@example.net')(account.contacts.local);
  };
  // Remove the contact after the first write, and after each of four restores in five attempts.
  afterWrite.push(...Array.from({ length: 1 + 5 * 4 }, () => removeDora));
  expect(await change(anna, changingNick('carl@example.org', 'K'))).toMatchObject({
    code: 'unknown',
    message: expect.stringMatching(/missing.*restored as soon as/),
    names: ['dora@example.net'],
  });
  expect(notifications.alarms).toEqual([]);
  await until(async () => {
    await runJobsNow(services);
    return (await queue.size()) === 0 || undefined;
  }, 'the edit to be reconciled');
  expect(emails().sort()).toEqual(['carl@example.org', 'dora@example.net', 'emil@example.com']);
  expect(notifications.alarms).toEqual([
    { kind: 'contacts-restored', person: anna.person, emails: ['dora@example.net'] },
  ]);
});
