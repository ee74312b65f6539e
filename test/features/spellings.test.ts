import { expect, test } from 'vitest';
import { disconnect } from '../../src/features/connect/operations.ts';
import { changeContacts } from '../../src/features/contacts/operations.ts';
import { readUploaded } from '../../src/features/files/operations.ts';
import { confirmSend, prepareSend } from '../../src/features/send/operations.ts';
import type { Operation } from '../../src/sandbox/exchange/index.ts';
import { admin, type FeaturesSetup, setUpFeatures, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

/** An older version accepted any spelling of an address. The rows of T2 and T3 are as it wrote them. */
const spellings = { T1: '/exchange', T2: '/%65xchange', T3: '/e%78change' };
const workspaces = Object.keys(spellings);

async function setUpSpellings() {
  const setup = await setUpFeatures(postgres, { server: { basePath: 'exchange' } });
  const { server, store } = setup;
  const credentials = await store.credentials.get('T1');
  if (credentials === undefined) throw new Error('T1 is not connected');
  for (const [workspace, path] of Object.entries(spellings)) {
    await store.credentials.set(workspace, { ...credentials, baseUrl: new URL(path, server.url).href });
  }
  return setup;
}

async function confirms({ services, shelf }: FeaturesSetup, workspace: string): Promise<string> {
  const actor = { workspace, person: 'U-anna' };
  const files = [shelf.put(`F-${workspace}`, `${workspace}.pdf`, `the plan of ${workspace}`)];
  const draft = { files, receivers: ['carl@example.org'], groups: [], message: workspace, timeToLive: 7 };
  const { confirmation } = await prepareSend(services, actor, draft);
  await confirmSend(services, actor, confirmation);
  return confirmation;
}

const called = ({ server }: FeaturesSetup, ...operations: Operation[]) =>
  server.calls.map(({ operation }) => operation).filter((operation) => operations.includes(operation as Operation));

/** Resolves when this many jobs have started. */
function begun({ store }: FeaturesSetup, count: number): Promise<true> {
  return until(async () => {
    const sql = 'select from graphile_worker._private_jobs where locked_at is not null';
    return (await store.pool.query(sql)).rowCount === count || undefined;
  }, `${count} jobs to begin`);
}

test('workspaces with different spellings of one account send one at a time', async () => {
  const setup = await setUpSpellings();
  const { server, account, ended, work } = setup;
  const ids = await Promise.all(workspaces.map((workspace) => confirms(setup, workspace)));
  const held = server.addFault({ operation: 'upload', kind: 'delay' });
  await work();
  await begun(setup, 3);
  await held.struck;
  await held.release();
  const ends = await Promise.all(ids.map(ended));
  expect(ends.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
  expect(called(setup, 'upload', 'createdrop')).toEqual(workspaces.flatMap(() => ['upload', 'createdrop']));
  const sent = account.drops.map(({ message, files }) => [`${message}.pdf`, ...files.map(({ name }) => name)]);
  expect(sent.map(([own, ...names]) => names.every((name) => name === own))).toEqual([true, true, true]);
});

test('while one spelling sends, the account is busy for the others', async () => {
  const setup = await setUpSpellings();
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
  const setup = await setUpSpellings();
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
  const setup = await setUpSpellings();
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

test('different spellings of one account share one token', async () => {
  const { services, store, server } = await setUpSpellings();
  server.calls.length = 0;
  await Promise.all(
    workspaces.map(async (workspace) => {
      const credentials = await store.credentials.get(workspace);
      if (credentials !== undefined) await services.connectTo(credentials).readContacts();
    }),
  );
  expect(server.calls.filter(({ operation }) => operation === 'index')).toHaveLength(0);
  expect(server.calls.filter(({ operation }) => operation === 'contacts_read')).toHaveLength(3);
});
