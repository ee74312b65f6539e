import { expect, test } from 'vitest';
import type { Operation } from '../../src/sandbox/exchange/index.ts';
import { type FeaturesSetup, until } from '../helpers/features.ts';
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

test('workspaces with different spellings of one account send one at a time', async () => {
  const setup = await setUpSpellings(postgres);
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

test('different spellings of one account share one token', async () => {
  const { services, store, server } = await setUpSpellings(postgres);
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
