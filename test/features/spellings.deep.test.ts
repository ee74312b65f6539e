import { expect, test } from 'vitest';
import { disconnect } from '../../src/features/account/connect/operations.ts';
import { changeContacts } from '../../src/features/contacts/operations.ts';
import { readUploaded } from '../../src/features/files/operations.ts';
import type { Operation } from '../../src/sandbox/exchange/index.ts';
import { admin, type FeaturesSetup, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, setUpSpellings, spellings } from './spellings.ts';

const postgres = startTestPostgres();

const workspaces = Object.keys(spellings);

const called = ({ server }: FeaturesSetup, ...operations: Operation[]) =>
  server.calls.map(({ operation }) => operation).filter((operation) => operations.includes(operation as Operation));

/** Resolves when this many jobs have started. */
function begun({ store }: FeaturesSetup, count: number): Promise<true> {
  return until(async () => {
    const sql = 'select from graphile_worker._private_jobs where locked_at is not null';
    return (await store.pool.query(sql)).rowCount === count || undefined;
  }, `${count} jobs to begin`);
}

test('while one spelling sends, the account is busy for the others', async () => {
  const setup = await setUpSpellings(postgres);
  const { server, services, ended, work } = setup;
  const id = await confirms(setup, 'T2');
  const held = server.addFault({ operation: 'upload', kind: 'delay' });
  await work();
  await held.struck;
  const others = ['T1', 'T3'].map((workspace) => readUploaded(services, { workspace, person: 'U-anna' }));
  expect((await Promise.all(others)).map(({ listed }) => listed)).toEqual([undefined, undefined]);
  await held.release();
  await ended(id);
});

test('workspaces with different spellings edit contacts one at a time', async () => {
  const setup = await setUpSpellings(postgres);
  const { server, services, account, heard, work } = setup;
  const held = server.addFault({ operation: 'contacts_add', kind: 'delay' });
  for (const workspace of workspaces) {
    const contacts = [{ email: `${workspace.toLowerCase()}@example.org` }];
    await changeContacts(services, { workspace, person: 'U-anna' }, { kind: 'add', contacts });
  }
  server.calls.length = 0;
  await work();
  await begun(setup, 3);
  await held.struck;
  await held.release();
  await until(() => heard.edits.length === 3 || undefined, 'three edits');
  const one = called(setup, 'contacts_read', 'contacts_add').slice(0, 3);
  expect(called(setup, 'contacts_read', 'contacts_add')).toEqual([...one, ...one, ...one]);
  expect(account.contacts.local).toHaveLength(6);
});

test('workspaces with different spellings can leave while another sends', async () => {
  const setup = await setUpSpellings(postgres);
  const { server, services, store, ended, work } = setup;
  const id = await confirms(setup, 'T1');
  const held = server.addFault({ operation: 'upload', kind: 'delay' });
  await work();
  await held.struck;
  for (const workspace of ['T2', 'T3']) await disconnect(services, { workspace, person: admin.person });
  await begun(setup, 3);
  await held.release();
  expect((await ended(id)).state).toBe('sent');
  await until(async () => (await store.credentials.owners()).join() === 'T1' || undefined, 'T2 and T3 to leave');
});
