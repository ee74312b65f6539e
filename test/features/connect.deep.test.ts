import { expect, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { leaveJob } from '../../src/features/account/leave/jobs.ts';
import { disconnect, leave, resumeLeaving } from '../../src/features/account/leave/operations.ts';
import { hold } from '../../src/features/transfers/holds/repository.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import type { JobContext } from '../../src/jobs/index.ts';
import { idsOfDesk } from '../../src/store/index.ts';
import { deskOf } from '../helpers/desks.ts';
import { apiKey, failureOf, user } from '../helpers/exchange.ts';
import { admin, setUpFeatures, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { takeSteps } from '../helpers/transfers.ts';
import { countRows } from './connect.ts';
import { queueTransfer } from './queue-transfer.ts';

const postgres = startTestPostgres();

test("if the app is reinstalled before an uninstall's cleanup, it stays installed", async () => {
  const { services, store, startWorker, untilDrained } = await setUpFeatures(postgres);
  const reinstalled = { team: { id: 'T1' }, bot: { token: 'new' } };
  await store.installations.set('T1', { team: { id: 'T1' } });
  await leave(services, { workspace: 'T1' }, 'uninstall');
  await store.installations.set('T1', reinstalled);
  await startWorker();
  await untilDrained();
  expect(await store.installations.get('T1')).toEqual(reinstalled);
  expect(await store.credentials.get({ workspace: 'T1' })).toBeUndefined();
});

test("if the app is reinstalled and connected before an uninstall's cleanup, both stay", async () => {
  const { services, server, store, startWorker, untilDrained } = await setUpFeatures(postgres);
  const reinstalled = { team: { id: 'T1' }, bot: { token: 'new' } };
  await leave(services, { workspace: 'T1' }, 'uninstall');
  await store.installations.set('T1', reinstalled);
  await connect(services, admin, { baseUrl: server.url, username: user, apiKey });
  await startWorker();
  await untilDrained();
  expect(await store.credentials.get({ workspace: 'T1' })).toMatchObject({ username: user });
  expect(await store.installations.get('T1')).toEqual(reinstalled);
});

test('without a reinstall, the cleanup of an uninstall deletes a later connection', async () => {
  const { services, server, store, startWorker, untilDrained } = await setUpFeatures(postgres);
  await leave(services, { workspace: 'T1' }, 'uninstall');
  await connect(services, admin, { baseUrl: server.url, username: user, apiKey });
  await startWorker();
  await untilDrained();
  expect(await store.credentials.get({ workspace: 'T1' })).toBeUndefined();
});

test('if a workspace reconnects before the cleanup of a disconnect, it stays connected', async () => {
  const { services, server, store, startWorker, untilDrained } = await setUpFeatures(postgres);
  await disconnect(services, admin);
  await connect(services, admin, { baseUrl: server.url, username: user, apiKey });
  await startWorker();
  await untilDrained();
  expect(await store.credentials.get({ workspace: 'T1' })).toMatchObject({ username: user });
});

test('if a workspace reconnects during the cleanup, it stays connected and can send', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, store, startWorker, untilEnded } = setup;
  const delay = server.addFault({ operation: 'receivers_set', kind: 'delay' });
  await disconnect(services, admin);
  await startWorker();
  await delay.triggered;
  await connect(services, admin, { baseUrl: server.url, username: user, apiKey });
  const id = await queueTransfer(setup);
  await delay.release();
  expect(await untilEnded(id)).toMatchObject({ state: 'sent' });
  expect(await store.credentials.get({ workspace: 'T1' })).toMatchObject({ username: user });
});

test("disconnecting reports a committed transfer even while the transfer's job waits", async () => {
  const setup = await setUpFeatures(postgres);
  const { services, startWorker, account, server, store, notifications } = setup;
  const lost = server.addFault({ operation: 'createdrop', kind: 'hang-after' });
  const id = await queueTransfer(setup);
  const runner = await startWorker();
  await lost.triggered;
  await runner.stop(0);
  await store.pool.query(`update graphile_worker._private_jobs set run_at = now() + interval '1 hour'`);
  await disconnect(services, admin);
  await startWorker();
  await until(
    async () => ((await store.credentials.get({ workspace: 'T1' })) === undefined ? true : undefined),
    'the workspace to be deleted',
  );
  expect(account.drops).toHaveLength(1);
  expect(notifications.ended).toEqual([id]);
});

test('a person is refused if they lose admin rights while connecting an account', async () => {
  const { services, server, store, roles } = await setUpFeatures(postgres, { connected: false });
  const slow = server.addFault({ operation: 'contacts_read', kind: 'delay' });
  const connecting = failureOf(connect(services, admin, { baseUrl: server.url, username: user, apiKey }));
  await slow.triggered;
  roles.set(admin.person, 'member');
  await slow.release();
  expect(await connecting).toMatchObject({ code: 'not-allowed' });
  expect(await store.credentials.get({ workspace: admin.workspace })).toBeUndefined();
});

test('when disconnecting, a transfer being committed is reconciled, not failed', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, store } = setup;
  const [first, second] = [await queueTransfer(setup), await queueTransfer(setup)];
  const ends: unknown[] = [];
  const warn = (fields: object) => void ends.push(fields);
  // While the first sender is notified, a job begins to send the second transfer.
  const transferEnded = async ({ id }: { id: string }) => {
    if (id !== first) return;
    await takeSteps(store, second, ['start']);
    await transfersIn(store).change(second, async (transfer, client) => {
      await hold(client, transfer);
      return { step: 'commit' };
    });
  };
  await disconnect(services, admin);
  const notifier = { ...services.notifier, transferEnded };
  const leaving = leaveJob({ ...services, notifier, log: { ...services.log, warn } });
  const context = { signal: new AbortController().signal, check: async () => {} } as JobContext;
  await leaving.run({ ...idsOfDesk(await deskOf(store, 'T1')), how: 'disconnect' }, context);
  expect(ends).toMatchObject([
    { transfer: first, outcome: 'failed', reason: 'not-connected' },
    { transfer: second, outcome: 'probably-not-sent' },
  ]);
});

test.each([true, false])(
  'a workspace deletion resumes if killed before its job is queued (installed: %s)',
  async (isInstalled) => {
    const setup = await setUpFeatures(postgres);
    const { services, store, startWorker, untilDrained } = setup;
    if (isInstalled) await store.installations.set('T1', { team: { id: 'T1' } });
    const stored = await store.credentials.get({ workspace: 'T1' });
    if (stored === undefined) throw new Error('T1 is not connected');
    // The state after a kill in the middle of leave().
    await store.credentials.set('T1', { ...stored, leavingSince: Date.now() });
    await store.credentials.set('T2', { ...stored, username: 'other@example.com' });
    await resumeLeaving(services);
    await startWorker();
    await untilDrained();
    expect(await store.credentials.get({ workspace: 'T1' })).toBeUndefined();
    expect(await countRows(setup, 'T1')).toBe(isInstalled ? 1 : 0);
    expect(await store.credentials.get({ workspace: 'T2' })).toBeDefined();
  },
);

test('an admin can connect another account only after the queued transfer has ended', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, startWorker, untilEnded } = setup;
  server.addAccount({ user: 'other@example.com', apiKey });
  const input = { baseUrl: server.url, username: 'other@example.com', apiKey };
  const id = await queueTransfer(setup);
  expect(await failureOf(connect(services, admin, input))).toMatchObject({ code: 'held' });
  await startWorker();
  await untilEnded(id);
  await connect(services, admin, input);
  await until(
    async () =>
      (await setup.store.credentials.get({ workspace: 'T1' }))?.username === input.username ? true : undefined,
    'the other account to be connected',
  );
});

test('an admin can connect the same account again while a transfer is queued', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, startWorker, untilEnded } = setup;
  const id = await queueTransfer(setup);
  await connect(services, admin, { baseUrl: server.url, username: user, apiKey });
  await startWorker();
  expect(await untilEnded(id)).toMatchObject({ state: 'sent' });
});
