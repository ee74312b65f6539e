import { expect, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { disconnect, leave } from '../../src/features/account/leave/operations.ts';
import { changeContacts } from '../../src/features/contacts/edit/operations.ts';
import { pause } from '../../src/features/pause/operations.ts';
import { pausesIn } from '../../src/features/pause/repository.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import { apiKey, failureOf, user } from '../helpers/exchange.ts';
import { admin, anna, setUpFeatures } from '../helpers/features.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { countRows } from './connect.ts';
import { queueTransfer } from './queue-transfer.ts';

const postgres = startTestPostgres();

test("only an admin's valid credentials are stored, and errors name the invalid field", async () => {
  const { services, server, store } = await setUpFeatures(postgres, { connected: false });
  const right = { baseUrl: server.url, username: user, apiKey };
  const invalidInputs = [
    [{ ...right, apiKey: 'wrong' }, 'apiKey'],
    [{ ...right, apiKey: ' ' }, 'apiKey'],
    [{ ...right, baseUrl: 'no address' }, 'baseUrl'],
    [{ ...right, baseUrl: 'http://127.0.0.1:1' }, 'baseUrl'],
    [{ ...right, username: 'a:b' }, 'username'],
  ] as const;
  for (const [input, field] of invalidInputs) {
    expect(await failureOf(connect(services, admin, input)), JSON.stringify(input)).toMatchObject({
      code: 'invalid',
      field,
    });
  }
  expect(await failureOf(connect(services, anna, right))).toMatchObject({ code: 'not-allowed' });
  expect(await store.credentials.get({ workspace: 'T1' })).toBeUndefined();
  await connect(services, admin, { ...right, inboxChannel: 'C1', expiryUnit: 'days' });
  expect(await store.credentials.get({ workspace: 'T1' })).toMatchObject({ username: user, connectedBy: admin.person });
  expect(await readSettings(services, { workspace: 'T1' })).toMatchObject({
    inboxChannels: [inboxChannel('C1')],
    expiryUnit: 'days',
  });
});

test.each(['/%65xchange', '//exchange', '/exchange//'])('the URL %s is the same account as /exchange', async (path) => {
  const { services, server } = await setUpFeatures(postgres, { connected: false, server: { basePath: 'exchange' } });
  const { origin } = new URL(server.url);
  const { account } = await connect(services, admin, { baseUrl: `${origin}${path}`, username: user, apiKey });
  expect(account).toBe(`${origin}/exchange/${user}`);
});

test('a workspace that connects another account keeps its settings and pauses', async () => {
  const { services, server, store } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { admins: ['U7'], senders: 'admins' });
  await pause(services, admin, 'downloads', 'Maintenance');
  const before = await readSettings(services, { workspace: 'T1' });
  server.addAccount({ user: 'other@example.com', apiKey });
  await connect(services, admin, { baseUrl: server.url, username: 'other@example.com', apiKey });
  expect(await readSettings(services, { workspace: 'T1' })).toEqual(before);
  expect(await pausesIn(store).read({ workspace: 'T1' })).toMatchObject({ downloads: { reason: 'Maintenance' } });
  const account = `${server.url}/other@example.com`;
  for (const table of ['pauses', 'polls'])
    expect((await store.pool.query(`select workspace, account from dropline.${table}`)).rows).toEqual([
      { workspace: 'T1', account },
    ]);
});

test('a review of another account can no longer be confirmed', async () => {
  const { services, server, sourceFiles } = await setUpFeatures(postgres);
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const draft = { files: ['F1'], recipients: ['carl@example.org'], groups: [], message: '', expiresAfter: 7 };
  const { reviewId } = await prepareSend(services, anna, draft);
  server.addAccount({ user: 'other@example.com', apiKey });
  await connect(services, admin, { baseUrl: server.url, username: 'other@example.com', apiKey });
  await expect(confirmSend(services, anna, reviewId)).rejects.toMatchObject({ code: 'not-connected' });
});

test('the audit log shows who connected and the outcome, but no API key', async () => {
  const { services, server, store } = await setUpFeatures(postgres);
  await failureOf(connect(services, admin, { baseUrl: server.url, username: user, apiKey: 'another s3cret' }));
  const entries = await store.audit.list('T1');
  expect(entries.map(({ action, outcome, person }) => [action, outcome, person])).toEqual([
    ['connect', 'invalid', admin.person],
    ['connect', 'done', admin.person],
  ]);
  expect(JSON.stringify(entries)).not.toContain('s3cret');
});

test('disconnecting refuses new work, cancels queued work and keeps the installation', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, store, startWorker, untilDrained, account, notifications } = setup;
  await store.installations.set('T1', { team: { id: 'T1' } });
  const id = await queueTransfer(setup);
  expect(await failureOf(disconnect(services, anna))).toMatchObject({ code: 'not-allowed' });
  await disconnect(services, admin);
  expect(await failureOf(queueTransfer(setup))).toMatchObject({ code: 'not-connected' });
  expect(
    await failureOf(changeContacts(services, anna, { kind: 'remove', emails: ['carl@example.org'] })),
  ).toMatchObject({
    code: 'not-connected',
  });
  await startWorker();
  await untilDrained();
  expect(notifications.ended).toEqual([id]);
  expect(account.drops).toEqual([]);
  expect(await countRows(setup, 'T1')).toBe(1);
  expect(await store.installations.get('T1')).toBeDefined();
});

test('after a disconnect during an upload, nothing is sent and only the audit is kept', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, startWorker, untilDrained, account, server } = setup;
  const delay = server.addFault({ operation: 'upload', kind: 'delay' });
  await queueTransfer(setup);
  await startWorker();
  await delay.triggered;
  await disconnect(services, admin);
  await untilDrained();
  await delay.release();
  expect(account).toMatchObject({ drops: [], receivers: [] });
  expect(await countRows(setup, 'T1')).toBe(0);
  const entries = await setup.store.audit.list('T1');
  expect(entries.map(({ action }) => action).sort()).toEqual(['connect', 'disconnect', 'send']);
});

test('a committed transfer is reconciled before its workspace is deleted', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, startWorker, untilDrained, account, server } = setup;
  const lost = server.addFault({ operation: 'createdrop', kind: 'hang-after' });
  await queueTransfer(setup);
  const runner = await startWorker();
  await lost.triggered;
  await runner.stop(0);
  await disconnect(services, admin);
  await startWorker();
  await untilDrained();
  expect(account.drops).toHaveLength(1);
  expect(account.receivers).toEqual([]);
  expect(await countRows(setup, 'T1')).toBe(0);
  const { rows } = await setup.store.pool.query('select from dropline.holds');
  expect(rows).toEqual([]);
});

test('an uninstall deletes all data, even if repeated or if no account is connected', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, store, startWorker, untilDrained } = setup;
  await store.installations.set('T1', { team: { id: 'T1' } });
  await store.installations.set('T9', { team: { id: 'T9' } });
  await pausesIn(store).insert(store.pool, { workspace: 'T1', account: 'a' }, 'downloads', {
    reason: 'Maintenance',
    person: 'U1',
  });
  for (const workspace of ['T1', 'T1', 'T9']) await leave(services, { workspace }, 'uninstall');
  await startWorker();
  await untilDrained();
  await leave(services, { workspace: 'T1' }, 'uninstall');
  await untilDrained();
  expect(await countRows(setup, 'T1', 'uninstall')).toBe(0);
  expect(await countRows(setup, 'T9', 'uninstall')).toBe(0);
});

test('uninstalling a workspace leaves another one on the same account able to send', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, store, startWorker, untilDrained, sourceFiles, send } = setup;
  const other = { workspace: 'T2', person: 'U-admin' };
  await connect(services, other, { baseUrl: server.url, username: user, apiKey });
  await leave(services, { workspace: 'T1' }, 'uninstall');
  await startWorker();
  await untilDrained();
  expect(await store.credentials.get({ workspace: 'T2' })).toBeDefined();
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const sent = await send({ workspace: 'T2', person: 'U-x' }, { files: ['F1'], recipients: ['carl@example.org'] });
  expect(sent.state).toBe('sent');
});
