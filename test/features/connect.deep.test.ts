import { expect, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { disconnect, leave } from '../../src/features/account/leave/operations.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { admin, setUpFeatures, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { queueTransfer } from './queue-transfer.ts';

const postgres = startTestPostgres();

test('reinstalling before the cleanup keeps the new installation', async () => {
  const { services, store, work, drained } = await setUpFeatures(postgres);
  const reinstalled = { team: { id: 'T1' }, bot: { token: 'new' } };
  await store.installations.set('T1', { team: { id: 'T1' } });
  await leave(services, 'T1', 'uninstall');
  await store.installations.set('T1', reinstalled);
  await work();
  await drained();
  expect(await store.installations.get('T1')).toEqual(reinstalled);
  expect(await store.credentials.get('T1')).toBeUndefined();
});

test('reinstalling and connecting before the cleanup keeps installation and connection', async () => {
  const { services, server, store, work, drained } = await setUpFeatures(postgres);
  const reinstalled = { team: { id: 'T1' }, bot: { token: 'new' } };
  await leave(services, 'T1', 'uninstall');
  await store.installations.set('T1', reinstalled);
  await connect(services, admin, { baseUrl: server.url, username: user, apiKey });
  await work();
  await drained();
  expect(await store.credentials.get('T1')).toMatchObject({ username: user });
  expect(await store.installations.get('T1')).toEqual(reinstalled);
});

test('a connection made after the uninstall is deleted with the workspace', async () => {
  const { services, server, store, work, drained } = await setUpFeatures(postgres);
  await leave(services, 'T1', 'uninstall');
  await connect(services, admin, { baseUrl: server.url, username: user, apiKey });
  await work();
  await drained();
  expect(await store.credentials.get('T1')).toBeUndefined();
});

test('a workspace that reconnects before the cleanup stays connected', async () => {
  const { services, server, store, work, drained } = await setUpFeatures(postgres);
  await disconnect(services, admin);
  await connect(services, admin, { baseUrl: server.url, username: user, apiKey });
  await work();
  await drained();
  expect(await store.credentials.get('T1')).toMatchObject({ username: user });
});

test('a workspace that reconnects during the cleanup stays connected and can send', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, store, work, ended } = setup;
  const delay = server.addFault({ operation: 'receivers_set', kind: 'delay' });
  await disconnect(services, admin);
  await work();
  await delay.struck;
  await connect(services, admin, { baseUrl: server.url, username: user, apiKey });
  const id = await queueTransfer(setup);
  await delay.release();
  expect(await ended(id)).toMatchObject({ state: 'sent' });
  expect(await store.credentials.get('T1')).toMatchObject({ username: user });
});

test('disconnecting reports a committed transfer even if its own job waits', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, work, account, server, store, notifications } = setup;
  const lost = server.addFault({ operation: 'createdrop', kind: 'hang-after' });
  const id = await queueTransfer(setup);
  const runner = await work();
  await lost.struck;
  await runner.stop(0);
  await store.pool.query(`update graphile_worker._private_jobs set run_at = now() + interval '1 hour'`);
  await disconnect(services, admin);
  await work();
  await until(
    async () => ((await store.credentials.get('T1')) === undefined ? true : undefined),
    'the workspace to be deleted',
  );
  expect(account.drops).toHaveLength(1);
  expect(notifications.ended).toEqual([id]);
});
