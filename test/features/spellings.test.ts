import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { callsTo, queueFor, setUpSpellings, untilRunning, workspaces } from './spellings.ts';

const postgres = startTestPostgres();

test("with variants of one account's URL, workspaces send one at a time", async () => {
  const setup = await setUpSpellings(postgres);
  const { server, account, untilEnded, startWorker } = setup;
  const ids = await Promise.all(workspaces.map((workspace) => queueFor(setup, workspace)));
  const delayedUpload = server.addFault({ operation: 'upload', kind: 'delay' });
  await startWorker();
  await untilRunning(setup, 3);
  await delayedUpload.triggered;
  await delayedUpload.release();
  const ends = await Promise.all(ids.map(untilEnded));
  expect(ends.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
  expect(callsTo(setup, 'upload', 'createdrop')).toEqual(workspaces.flatMap(() => ['upload', 'createdrop']));
  const sent = account.drops.map(({ message, files }) => [`${message}.pdf`, ...files.map(({ name }) => name)]);
  expect(sent.map(([own, ...names]) => names.every((name) => name === own))).toEqual([true, true, true]);
});

test("with variants of one account's URL, workspaces share one token", async () => {
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
