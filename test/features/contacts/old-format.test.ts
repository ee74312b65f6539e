import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { makeContact } from '../../../src/exchange/index.ts';
import { connectionOf } from '../../../src/features/common/connection.ts';
import { editKind } from '../../../src/features/contacts/edit/jobs.ts';
import { editsIn } from '../../../src/features/contacts/edit/repository.ts';
import { accountQueue } from '../../../src/jobs/index.ts';
import { adding, type ContactsSetup, done, setUpContacts } from '../../helpers/contacts.ts';
import { anna } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

/** Stores a value as an older version did. */
function storeOldValue({ store }: ContactsSetup, kind: string, name: string, value: unknown): Promise<void> {
  return store.collection({ kind, schema: z.unknown() }).set('T1', value, { name });
}

/** An edit that an older version queued, with what the person typed. */
async function queueOldEdit(setup: ContactsSetup): Promise<{ edit: string; account: string }> {
  const { services } = setup;
  const edit = randomUUID();
  const typed = { email: 'new@example.org', number: '', language: '', nick: '', knownGroups: [], groups: '' };
  await storeOldValue(setup, 'contact-edit', edit, { person: anna.person, change: adding('new@example.org') });
  await storeOldValue(setup, 'edit-waiting', edit, { place: '', about: 'Adding', typed });
  const { account } = (await connectionOf(services, 'T1')).exchange;
  const queue = accountQueue('contacts', account);
  await services.queue.add(editKind, { workspace: 'T1', edit }, { queue, key: `contacts-edit ${edit}` });
  return { edit, account };
}

test('an edit queued by an older version is applied once', async () => {
  const setup = await setUpContacts(postgres);
  const { store, awaitOutcome, startWorker, writes, emails } = setup;
  const { edit } = await queueOldEdit(setup);
  await startWorker();
  expect(await awaitOutcome(edit)).toEqual(done({ added: 1 }));
  expect(emails()).toContain('new@example.org');
  expect(writes()).toHaveLength(1);
  expect((await editsIn(store).readOrigin('T1', edit))?.typed?.email).toBe('new@example.org');
  expect(await editsIn(store).readRequest('T1', edit)).toBeUndefined();
});

test('an unfinished edit of an older version is reconciled', async () => {
  const setup = await setUpContacts(postgres);
  const { store, account: onService, awaitOutcome, startWorker, emails, notifications } = setup;
  const { edit, account } = await queueOldEdit(setup);
  // An older version stored a row with its own id for each attempt.
  const image = randomUUID();
  const before = onService.contacts.local.map((contact) => makeContact(contact).json);
  const after = [...before, makeContact({ email: 'new@example.org' }).json];
  const encrypted = (column: string, texts: string[]) =>
    store.columnCipher('contact_images', column).encrypt(image, texts);
  await store.pool.query(
    `insert into dropline.contact_images (id, workspace, account, person, edit, before_sealed, after_sealed)
     values ($1, 'T1', $2, $3, $4, $5, $6)`,
    [image, account, anna.person, edit, encrypted('before_sealed', before), encrypted('after_sealed', after)],
  );
  // The older version had restored Emil and stopped before it reported that. Dora is still missing.
  await storeOldValue(setup, 'contacts-mended', image, ['emil@example.com']);
  onService.contacts.local = onService.contacts.local.filter(({ email }) => email !== 'dora@example.net');
  await startWorker();
  expect(await awaitOutcome(edit)).toEqual(done({ added: 1, restored: ['emil@example.com', 'dora@example.net'] }));
  expect(emails().sort()).toEqual(['carl@example.org', 'dora@example.net', 'emil@example.com', 'new@example.org']);
  expect(notifications.alarms).toMatchObject([{ emails: ['emil@example.com', 'dora@example.net'] }]);
});
