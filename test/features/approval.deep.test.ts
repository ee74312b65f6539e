import { expect, test } from 'vitest';
import { approve, decline } from '../../src/features/transfers/approval/operations.ts';
import { cancelTransfer } from '../../src/features/transfers/lifecycle/operations.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { confirmSend, prepareSend, removeUnexpectedAndSend } from '../../src/features/transfers/send/operations.ts';
import { admin, anna, bo, type FeaturesSetup, setUpFeatures, sha256, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import {
  ageDecision,
  cleo,
  confirmTransfer,
  draft,
  type Policy,
  policyWith,
  saveApproval,
  stateOf,
} from './approval.ts';
import { killDuring, sending } from './kill.ts';

const postgres = startTestPostgres();
const fixtures = { postgres, programs: usePrograms() };

async function setUp(policy: Policy) {
  const setup = await setUpFeatures(postgres);
  await saveApproval(setup.services, admin, policyWith({ approvers: [bo.person, cleo.person], ...policy }));
  return setup;
}

test('kill -9 at any call leaves an approved transfer unsent, or sent once', async () => {
  const killed = await killDuring(fixtures, sending(undefined, { needsApproval: true }));
  expect(killed.length).toBeGreaterThan(10);
}, 300_000);

test("an approver who loses their role or leaves the approval channel can't approve", async () => {
  const setup = await setUp({ every: true });
  const { services, roles, channelMembers } = setup;
  const id = await confirmTransfer(setup);
  roles.set(bo.person, 'none');
  await expect(approve(services, bo, id)).rejects.toMatchObject({ code: 'not-allowed' });
  channelMembers.set('C1', [cleo.person]);
  await saveApproval(services, admin, policyWith({ every: true, approvers: ['C1'] }));
  channelMembers.set('C1', []);
  await expect(approve(services, cleo, id)).rejects.toMatchObject({ code: 'not-allowed' });
  channelMembers.set('C1', [cleo.person]);
  expect((await approve(services, cleo, id)).isFirst).toBe(true);
});

test('if two approvers decide differently at the same time, only one decision counts', async () => {
  const setup = await setUp({ every: true });
  const { services, account, startWorker, untilDrained } = setup;
  const id = await confirmTransfer(setup);
  const decisions = await Promise.all([
    approve(services, bo, id),
    decline(services, cleo, id, 'no'),
    approve(services, cleo, id),
    approve(services, bo, id),
  ]);
  const first = decisions.filter(({ isFirst }) => isFirst);
  expect(first).toHaveLength(1);
  await startWorker();
  await untilDrained();
  const transfer = await transfersIn(setup.store).read(id);
  const { decision } = transfer?.approval ?? {};
  expect(decision).toMatchObject({ is: first[0]?.transfer.approval?.decision?.is });
  expect(account.drops).toHaveLength(decision?.is === 'approved' ? 1 : 0);
});

test("an approval after the deadline doesn't count, even if the deadline job is late", async () => {
  const setup = await setUp({ every: true, waitDays: 1e-6 });
  const id = await confirmTransfer(setup);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await expect(approve(setup.services, bo, id)).resolves.toMatchObject({ isFirst: false });
  expect(await stateOf(setup, id)).toBe('approval');
});

test('a transfer cancelled and approved at the same time is cancelled, not sent', async () => {
  const setup = await setUp({ every: true });
  const { services, startWorker, untilDrained, account } = setup;
  const ids: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    const id = await confirmTransfer(setup);
    ids.push(id);
    await Promise.all([approve(services, bo, id), cancelTransfer(services, anna, id)]);
  }
  await startWorker();
  await untilDrained();
  for (const id of ids) expect(await stateOf(setup, id)).toBe('cancelled');
  expect(account.drops).toEqual([]);
});

test("a transfer that waits for approval takes no slot in its account's queue", async () => {
  const setup = await setUp({ domains: ['example.org'] });
  const { services, store } = setup;
  const waiting = await confirmTransfer(setup, { recipients: ['dora@example.net'] });
  const queued = await confirmTransfer(setup);
  expect(await stateOf(setup, waiting)).toBe('approval');
  expect(await transfersIn(store).countAhead(queued)).toBe(0);
  expect(await transfersIn(store).countAhead(waiting)).toBe(0);
  await approve(services, bo, waiting);
  expect(await transfersIn(store).countAhead(queued)).toBe(0);
  expect(await transfersIn(store).countAhead(waiting)).toBe(1);
});

test('if the approvers change, only the cards of waiting transfers are updated', async () => {
  const setup = await setUp({ domains: ['example.org'] });
  const { services, server, notifications } = setup;
  const slow = server.addFault({ operation: 'upload', kind: 'delay' });
  await setup.startWorker();
  await confirmTransfer(setup);
  await slow.triggered;
  const waiting = await confirmTransfer(setup, { recipients: ['dora@example.net'] });
  await until(() => notifications.approvals[0], 'the approvers to be notified');
  await saveApproval(services, admin, policyWith({ domains: ['example.org'], approvers: [cleo.person] }));
  await until(() => notifications.approvals[1], 'the new approvers to be notified');
  expect(notifications.approvals).toEqual([waiting, waiting]);
  await slow.release();
});

test("a recipient counts as new if the history can't be read", async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, startWorker, untilEnded, account } = setup;
  await startWorker();
  await untilEnded(await confirmTransfer(setup));
  await saveApproval(services, admin, policyWith({ newRecipients: true, approvers: [bo.person] }));
  const known = await confirmTransfer(setup);
  expect(await untilEnded(known)).toMatchObject({ state: 'sent' });
  server.addFault({ operation: 'get_history', kind: 'answer', times: 5, answer: { status: 500, body: 'no' } });
  const unreadable = await confirmTransfer(setup);
  expect(await stateOf(setup, unreadable)).toBe('approval');
  expect(account.drops).toHaveLength(2);
});

test.each([
  ['a contact is removed', async ({ account }: FeaturesSetup) => void account.contacts.local.splice(0, 1)],
  [
    'a file is replaced',
    async ({ sourceFiles }: FeaturesSetup) => void sourceFiles.put('F1', 'plan.pdf', 'other!!!', { stamp: '2' }),
  ],
])('if %s after the approval, the transfer stops', async (_, disturb) => {
  const setup = await setUp({ every: true });
  const { services, startWorker, untilEnded, account } = setup;
  const id = await confirmTransfer(setup);
  await approve(services, bo, id);
  await disturb(setup);
  await startWorker();
  expect(await untilEnded(id)).toMatchObject({ state: 'failed', progress: { result: { code: 'changed' } } });
  expect(account.drops).toEqual([]);
});

test('a retry with Delete and send keeps an approval, but fails if one is missing', async () => {
  const setup = await setUp({ every: true });
  const { services, account, startWorker, untilEnded } = setup;
  await startWorker();
  const addFile = () => account.uploads.push({ name: 'x.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  addFile();
  const id = await confirmTransfer(setup);
  await approve(services, bo, id);
  expect(await untilEnded(id)).toMatchObject({ progress: { result: { code: 'unexpected-files' } } });
  const { id: retry } = await removeUnexpectedAndSend(services, admin, id);
  expect(await untilEnded(retry)).toMatchObject({
    state: 'sent',
    approval: { decision: { by: bo.person } },
  });
  await saveApproval(services, admin, policyWith({}));
  addFile();
  const unapproved = await confirmTransfer(setup);
  expect(await untilEnded(unapproved)).toMatchObject({ progress: { result: { code: 'unexpected-files' } } });
  await saveApproval(services, admin, policyWith({ every: true, approvers: [bo.person] }));
  const { id: stopped } = await removeUnexpectedAndSend(services, admin, unapproved);
  expect(await untilEnded(stopped)).toMatchObject({ state: 'failed', progress: { result: { code: 'unapproved' } } });
  expect(account.drops).toHaveLength(1);
});

test('Delete and send asks for approval again if the earlier one is too old', async () => {
  const setup = await setUp({ every: true });
  const { services, account, startWorker, untilEnded } = setup;
  await startWorker();
  account.uploads.push({ name: 'x.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  const id = await confirmTransfer(setup);
  await approve(services, bo, id);
  await untilEnded(id);
  await ageDecision(setup, id, 20, 'revise');
  const { id: retry } = await removeUnexpectedAndSend(services, admin, id);
  await until(async () => (await stateOf(setup, retry)) === 'approval' || undefined, 'another approval');
  expect(account.uploads).toHaveLength(1);
  await approve(services, cleo, retry);
  // Other files can have come since the admin's click, so it doesn't count any longer.
  expect(await untilEnded(retry)).toMatchObject({ progress: { result: { code: 'unexpected-files' } } });
  const { id: last } = await removeUnexpectedAndSend(services, admin, retry);
  expect(await untilEnded(last)).toMatchObject({ state: 'sent' });
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['plan.pdf']]);
});

test.each<[string, (setup: FeaturesSetup, id: string) => unknown, object]>([
  [
    'no one else can approve',
    ({ services }) => saveApproval(services, admin, policyWith({ every: true, approvers: [anna.person] })),
    { state: 'failed', progress: { result: { code: 'no-approver' } } },
  ],
  ['it is cancelled', ({ services }, id) => cancelTransfer(services, anna, id), { state: 'cancelled' }],
  ['no rule applies any longer', ({ services }) => saveApproval(services, admin, policyWith({})), { state: 'sent' }],
])("a transfer with an old approval doesn't wait again if %s", async (_, change, end) => {
  const setup = await setUp({ every: true });
  const { services, startWorker, untilEnded } = setup;
  const id = await confirmTransfer(setup);
  await approve(services, bo, id);
  await ageDecision(setup, id, 20);
  await change(setup, id);
  await startWorker();
  expect(await untilEnded(id)).toMatchObject(end);
});

test('an approval that ends during the upload is asked for again; nothing is sent', async () => {
  const setup = await setUp({ every: true });
  const { services, server, account, startWorker } = setup;
  const slow = server.addFault({ operation: 'upload', kind: 'delay' });
  const id = await confirmTransfer(setup);
  await approve(services, bo, id);
  await ageDecision(setup, id, 2);
  await startWorker();
  await slow.triggered;
  await saveApproval(services, admin, policyWith({ every: true, approvers: [bo.person], waitDays: 1 }));
  await slow.release();
  await until(async () => (await stateOf(setup, id)) === 'approval' || undefined, 'another approval');
  expect(account).toMatchObject({ drops: [], uploads: [] });
});

test("a transfer can't be approved while its account is on hold, but can be later", async () => {
  const setup = await setUp({ every: true });
  const { services, store } = setup;
  const id = await confirmTransfer(setup);
  const { account } = (await transfersIn(store).read(id)) ?? { account: '' };
  await store.pool.query(
    `insert into dropline.holds (account, workspace, transfer, reason) values ($1, 'T1', $2, 'unknown')`,
    [account, id],
  );
  await expect(approve(services, bo, id)).rejects.toMatchObject({ code: 'held' });
  await store.pool.query('delete from dropline.holds');
  expect((await approve(services, bo, id)).isFirst).toBe(true);
});

test('if a confirmation or decision fails halfway, nothing changes; it can be retried', async () => {
  const setup = await setUp({ every: true });
  const { services, sourceFiles, startWorker, untilEnded, queue } = setup;
  const failing = (failAt: number) => {
    let calls = 0;
    const add: typeof queue.add = async (...args) => {
      calls += 1;
      if (calls === failAt) throw new Error('the process died');
      return queue.add(...args);
    };
    return { ...services, queue: { ...queue, add } };
  };
  const files = [sourceFiles.put('F1', 'plan.pdf', 'the plan')];
  const { reviewId: id } = await prepareSend(services, anna, { ...draft, files });
  for (const failAt of [1, 2]) {
    await expect(confirmSend(failing(failAt), anna, id)).rejects.toThrow('the process died');
    expect([await stateOf(setup, id), await queue.size()]).toEqual([undefined, 0]);
  }
  await confirmSend(services, anna, id);
  for (const failAt of [1, 2]) {
    await expect(approve(failing(failAt), bo, id)).rejects.toThrow('the process died');
    expect([await stateOf(setup, id), await queue.size()]).toEqual(['approval', 2]);
  }
  await expect(decline(failing(1), bo, id, 'no')).rejects.toThrow('the process died');
  await expect(cancelTransfer(failing(1), anna, id)).rejects.toThrow('the process died');
  expect([await stateOf(setup, id), await queue.size()]).toEqual(['approval', 2]);
  await approve(services, bo, id);
  await startWorker();
  expect(await untilEnded(id)).toMatchObject({ state: 'sent' });
});
