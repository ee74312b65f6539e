import { expect, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { leaveJob } from '../../src/features/account/leave/jobs.ts';
import { disconnect, leave, resumeLeaving } from '../../src/features/account/leave/operations.ts';
import { changeContacts } from '../../src/features/contacts/operations.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import { hold } from '../../src/features/transfers/holds/repository.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import type { JobContext } from '../../src/jobs/index.ts';
import { apiKey, failureOf, user } from '../helpers/exchange.ts';
import { admin, anna, type FeaturesSetup, setUpFeatures, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { queueTransfer } from './queue-transfer.ts';

const postgres = startTestPostgres();

test('refused credentials are not stored, and the wrong field is named', async () => {
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
  expect(await store.credentials.get('T1')).toBeUndefined();
  await connect(services, admin, { ...right, inboxChannel: 'C1', ttl: { unit: 'days', usual: 3 } });
  expect(await store.credentials.get('T1')).toMatchObject({ username: user, connectedBy: admin.person });
  expect(await readSettings(services, 'T1')).toMatchObject({ inboxChannel: 'C1', ttl: { unit: 'days', usual: 3 } });
});

test.each(['/%65xchange', '/a//b', '//exchange'])(
  'an address that is not in canonical form (%s) is refused',
  async (path) => {
    const { services, server, store } = await setUpFeatures(postgres, { connected: false });
    const input = { baseUrl: `${server.url}${path}`, username: user, apiKey };
    const failure = await failureOf(connect(services, admin, input));
    expect(failure).toMatchObject({ code: 'invalid', field: 'baseUrl' });
    expect(failure.message).toMatch(/^Enter the URL as http:\/\/127\.0\.0\.1:\d+\/\w+/);
    expect(await store.credentials.get(admin.workspace)).toBeUndefined();
  },
);

test('a person who lost admin rights while the service answered is refused', async () => {
  const { services, server, store, roles } = await setUpFeatures(postgres, { connected: false });
  const slow = server.addFault({ operation: 'contacts_read', kind: 'delay' });
  const connecting = failureOf(connect(services, admin, { baseUrl: server.url, username: user, apiKey }));
  await slow.struck;
  roles.set(admin.person, 'member');
  await slow.release();
  expect(await connecting).toMatchObject({ code: 'not-allowed' });
  expect(await store.credentials.get(admin.workspace)).toBeUndefined();
});

test('the audit log names who connected and the outcome, and contains no key', async () => {
  const { services, server, store } = await setUpFeatures(postgres);
  await failureOf(connect(services, admin, { baseUrl: server.url, username: user, apiKey: 'another s3cret' }));
  const entries = await store.audit.list('T1');
  expect(entries.map(({ act, outcome, person }) => [act, outcome, person])).toEqual([
    ['connect', 'invalid', admin.person],
    ['connect', 'done', admin.person],
  ]);
  expect(JSON.stringify(entries)).not.toContain('s3cret');
});

async function countRows({ store }: FeaturesSetup, workspace: string): Promise<number> {
  const tables = ['audit', 'dispatches', 'uploads', 'inbox_items', 'contact_images', 'polls'];
  const counts = await Promise.all(
    tables.map((table) => store.pool.query(`select from dropline.${table} where workspace = $1`, [workspace])),
  );
  const keys = await store.pool.query(`select from dropline.keyv where key like '%' || $1 || '%'`, [`:${workspace}`]);
  return counts.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), keys.rowCount ?? 0);
}

test('disconnecting refuses new work, cancels queued work and keeps the installation', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, store, work, drained, account, notifications } = setup;
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
  await work();
  await drained();
  expect(notifications.ended).toEqual([id]);
  expect(account.drops).toEqual([]);
  expect(await countRows(setup, 'T1')).toBe(1);
  expect(await store.installations.get('T1')).toBeDefined();
});

test('disconnecting stops an upload in progress and clears the account', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, work, drained, account, server } = setup;
  const delay = server.addFault({ operation: 'upload', kind: 'delay' });
  await queueTransfer(setup);
  await work();
  await delay.struck;
  await disconnect(services, admin);
  await drained();
  await delay.release();
  expect(account).toMatchObject({ drops: [], receivers: [] });
  expect(await countRows(setup, 'T1')).toBe(0);
});

test('a committed transfer is reconciled before its workspace is deleted', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, work, drained, account, server } = setup;
  const lost = server.addFault({ operation: 'createdrop', kind: 'hang-after' });
  await queueTransfer(setup);
  const runner = await work();
  await lost.struck;
  await runner.stop(0);
  await disconnect(services, admin);
  await work();
  await drained();
  expect(account.drops).toHaveLength(1);
  expect(account.receivers).toEqual([]);
  expect(await countRows(setup, 'T1')).toBe(0);
  const { rows } = await setup.store.pool.query('select from dropline.holds');
  expect(rows).toEqual([]);
});

test('disconnecting never ends a transfer as unsent that a job has begun to send', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, store } = setup;
  const [first, second] = [await queueTransfer(setup), await queueTransfer(setup)];
  const ends: unknown[] = [];
  const warn = (fields: object) => void ends.push(fields);
  // While the first sender is notified, a job begins to send the second transfer.
  const transferEnded = async ({ id }: { id: string }) => {
    if (id !== first) return;
    await transfersIn(store).change(second, async ({ account }, client) => {
      await hold(client, account, second);
      return { state: 'committing', committed: true };
    });
  };
  await disconnect(services, admin);
  const notifier = { ...services.notifier, transferEnded };
  const leaving = leaveJob({ ...services, notifier, log: { ...services.log, warn } });
  const context = { signal: new AbortController().signal, check: async () => {} } as JobContext;
  await leaving.run({ workspace: 'T1', how: 'disconnect' }, context);
  expect(ends).toMatchObject([
    { transfer: first, outcome: 'failed', reason: 'not-connected' },
    { transfer: second, outcome: 'probably-not-sent' },
  ]);
});

test('an uninstall deletes everything, even if repeated or if no account is connected', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, store, work, drained } = setup;
  await store.installations.set('T1', { team: { id: 'T1' } });
  await store.installations.set('T9', { team: { id: 'T9' } });
  for (const workspace of ['T1', 'T1', 'T9']) await leave(services, workspace, 'uninstall');
  await work();
  await drained();
  await leave(services, 'T1', 'uninstall');
  await drained();
  expect(await countRows(setup, 'T1')).toBe(0);
  expect(await countRows(setup, 'T9')).toBe(0);
});

test.each([true, false])(
  'a removal that is killed before its job is added is resumed (installed: %s)',
  async (isInstalled) => {
    const setup = await setUpFeatures(postgres);
    const { services, store, work, drained } = setup;
    if (isInstalled) await store.installations.set('T1', { team: { id: 'T1' } });
    const stored = await store.credentials.get('T1');
    if (stored === undefined) throw new Error('T1 is not connected');
    // The state after a kill in the middle of leave().
    await store.credentials.set('T1', { ...stored, leavingSince: Date.now() });
    await store.credentials.set('T2', { ...stored, username: 'other@example.com' });
    await resumeLeaving(services);
    await work();
    await drained();
    expect(await store.credentials.get('T1')).toBeUndefined();
    expect(await countRows(setup, 'T1')).toBe(isInstalled ? 1 : 0);
    expect(await store.credentials.get('T2')).toBeDefined();
  },
);

test('a workspace that leaves a shared account deletes nothing of another workspace', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, store, work, drained, sourceFiles, send } = setup;
  const other = { workspace: 'T2', person: 'U-admin' };
  await connect(services, other, { baseUrl: server.url, username: user, apiKey });
  await leave(services, 'T1', 'uninstall');
  await work();
  await drained();
  expect(await store.credentials.get('T2')).toBeDefined();
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const sent = await send({ workspace: 'T2', person: 'U-x' }, { files: ['F1'], receivers: ['carl@example.org'] });
  expect(sent.state).toBe('sent');
});

test('another account cannot be connected while a transfer is in progress', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, work, ended } = setup;
  server.addAccount({ user: 'other@example.com', apiKey });
  const input = { baseUrl: server.url, username: 'other@example.com', apiKey };
  const id = await queueTransfer(setup);
  expect(await failureOf(connect(services, admin, input))).toMatchObject({ code: 'held' });
  await work();
  await ended(id);
  await connect(services, admin, input);
  await until(
    async () => ((await setup.store.credentials.get('T1'))?.username === input.username ? true : undefined),
    'the other account to be connected',
  );
});
