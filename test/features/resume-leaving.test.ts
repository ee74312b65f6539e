import { expect, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { disconnect, leave, resumeLeaving } from '../../src/features/account/leave/operations.ts';
import type { Installation } from '../../src/store/index.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { admin, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test("if a workspace's data can't be read, the deletion of others isn't blocked", async () => {
  const { services, store, startWorker, untilDrained } = await setUpFeatures(postgres);
  await store.pool.query("insert into dropline.keyv (key, value) values ('credentials:T0 a', 'not encrypted by us')");
  const stored = await store.credentials.get({ workspace: 'T1' });
  if (stored === undefined) throw new Error('T1 is not connected');
  await store.credentials.set('T1', { ...stored, leavingSince: Date.now() });
  await resumeLeaving(services);
  await startWorker();
  await untilDrained();
  expect(await store.credentials.get({ workspace: 'T1' })).toBeUndefined();
});

test('a resumed disconnect keeps a newer connection, even without an installation', async () => {
  const { services, server, store, startWorker, untilDrained } = await setUpFeatures(postgres);
  await disconnect(services, admin);
  await resumeLeaving(services);
  await connect(services, admin, { baseUrl: server.url, username: user, apiKey });
  const reconnected = await store.credentials.get({ workspace: 'T1' });
  await startWorker();
  await untilDrained();
  expect(await store.credentials.get({ workspace: 'T1' })).toEqual(reconnected);
  expect(await store.audit.list('T1')).not.toEqual([]);
});

test('a resumed disconnect notifies the person who disconnected', async () => {
  const { services, store, startWorker, untilDrained, notifications } = await setUpFeatures(postgres);
  const stored = await store.credentials.get({ workspace: 'T1' });
  if (stored === undefined) throw new Error('T1 is not connected');
  // Store the state that a process killed in the middle of leave() leaves behind.
  await store.credentials.set('T1', { ...stored, leavingSince: Date.now(), leavingBy: admin.person });
  await resumeLeaving(services);
  await startWorker();
  await untilDrained();
  expect(notifications.disconnected).toEqual([{ person: admin.person, isClean: true }]);
});

test('uninstalling an old installation keeps a newer one', async () => {
  const { services, store } = await setUpFeatures(postgres);
  const newer = { team: { id: 'T1' }, bot: { token: 'newer' } };
  await store.installations.set('T1', newer);
  const before = await store.credentials.get({ workspace: 'T1' });
  const removed = (token: string) => ({ at: 0, isRemoved: (one: Installation) => one.bot?.token === token });
  await leave(services, { workspace: 'T1' }, 'uninstall', removed('older'));
  expect(await store.installations.get('T1')).toEqual(newer);
  expect(await store.credentials.get({ workspace: 'T1' })).toEqual(before);
  await leave(services, { workspace: 'T1' }, 'uninstall', removed('newer'));
  expect(await store.installations.get('T1')).toBeUndefined();
  expect(await store.credentials.get({ workspace: 'T1' })).toMatchObject({ leavingHow: 'uninstall' });
});

test('a resumed uninstall keeps a newer installation', async () => {
  const { services, store, startWorker, untilDrained } = await setUpFeatures(postgres);
  await store.installations.set('T1', { team: { id: 'T1' }, bot: { token: 'older' } });
  await leave(services, { workspace: 'T1' }, 'uninstall');
  const newer = { team: { id: 'T1' }, bot: { token: 'newer' } };
  await store.installations.set('T1', newer);
  await resumeLeaving(services);
  await startWorker();
  await untilDrained();
  expect(await store.installations.get('T1')).toEqual(newer);
  expect(await store.credentials.get({ workspace: 'T1' })).toBeUndefined();
});
