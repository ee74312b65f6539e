import { expect, test } from 'vitest';
import { disconnect } from '../../src/features/account/leave/operations.ts';
import { changeContacts } from '../../src/features/contacts/operations.ts';
import { readUploaded } from '../../src/features/files/operations.ts';
import { admin, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { callsTo, queueFor, setUpSpellings, untilRunning, workspaces } from './spellings.ts';

const postgres = startTestPostgres();

test('while one workspace sends, the account is busy for all variants of its URL', async () => {
  const setup = await setUpSpellings(postgres);
  const { server, services, untilEnded, startWorker } = setup;
  const id = await queueFor(setup, 'T2');
  const delayedUpload = server.addFault({ operation: 'upload', kind: 'delay' });
  await startWorker();
  await delayedUpload.triggered;
  const reads = ['T1', 'T3'].map((workspace) => readUploaded(services, { workspace, person: 'U-anna' }));
  expect((await Promise.all(reads)).map(({ listed }) => listed)).toEqual([undefined, undefined]);
  await delayedUpload.release();
  await untilEnded(id);
});

test("with variants of one account's URL, workspaces edit contacts one at a time", async () => {
  const setup = await setUpSpellings(postgres);
  const { server, services, account, notifications, startWorker } = setup;
  const delayedWrite = server.addFault({ operation: 'contacts_add', kind: 'delay' });
  for (const workspace of workspaces) {
    const contacts = [{ email: `${workspace.toLowerCase()}@example.org` }];
    await changeContacts(services, { workspace, person: 'U-anna' }, { kind: 'add', contacts });
  }
  server.calls.length = 0;
  await startWorker();
  await untilRunning(setup, 3);
  await delayedWrite.triggered;
  await delayedWrite.release();
  await until(() => notifications.edits.length === 3 || undefined, 'three edits');
  const oneEdit = callsTo(setup, 'contacts_read', 'contacts_add').slice(0, 3);
  expect(callsTo(setup, 'contacts_read', 'contacts_add')).toEqual([...oneEdit, ...oneEdit, ...oneEdit]);
  expect(account.contacts.local).toHaveLength(6);
});

test("with variants of one account's URL, workspaces can disconnect during a send", async () => {
  const setup = await setUpSpellings(postgres);
  const { server, services, store, untilEnded, startWorker } = setup;
  const id = await queueFor(setup, 'T1');
  const delayedUpload = server.addFault({ operation: 'upload', kind: 'delay' });
  await startWorker();
  await delayedUpload.triggered;
  for (const workspace of ['T2', 'T3']) await disconnect(services, { workspace, person: admin.person });
  await untilRunning(setup, 3);
  await delayedUpload.release();
  expect((await untilEnded(id)).state).toBe('sent');
  await until(async () => (await store.credentials.listOwners()).join() === 'T1' || undefined, 'T2 and T3 to leave');
});
