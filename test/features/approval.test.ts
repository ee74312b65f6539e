import { expect, test } from 'vitest';
import { disconnect } from '../../src/features/account/leave/operations.ts';
import { saveApproval } from '../../src/features/settings/approval/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { approve, decline, waitingApprovals } from '../../src/features/transfers/approval/operations.ts';
import {
  confirmSend,
  prepareAgain,
  prepareSend,
  removeUnexpectedAndSend,
} from '../../src/features/transfers/kinds/send/operations.ts';
import { cancelTransfer } from '../../src/features/transfers/operations.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { admin, anna, bo, type FeaturesSetup, setUpFeatures, sha256, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { requestFiles } from '../helpers/requests.ts';
import { type Policy, policyWith } from './approval.ts';

const postgres = startTestPostgres();
const cleo = { workspace: 'T1', person: 'U-cleo' };

async function setUp(policy: Policy) {
  const setup = await setUpFeatures(postgres);
  await saveApproval(setup.services, admin, policyWith({ approvers: [bo.person, cleo.person], ...policy }));
  return setup;
}

const draft = { receivers: ['carl@example.org'], groups: [], message: 'Hello', timeToLive: 7 };

/** Anna confirms a transfer. Resolves with its id. */
async function ask({ services, sourceFiles }: FeaturesSetup, more: Partial<typeof draft> = {}): Promise<string> {
  const files = [sourceFiles.put('F1', 'plan.pdf', 'the plan')];
  const { confirmation } = await prepareSend(services, anna, { ...draft, files, ...more });
  return (await confirmSend(services, anna, confirmation)).id;
}

const stateOf = async ({ store }: FeaturesSetup, id: string) => (await transfersIn(store).read(id))?.state;

test('a transfer that needs approval is sent only after another person approves it', async () => {
  const setup = await setUp({ every: true });
  const { services, account, work, drained, ended, store, queue } = setup;
  const id = await ask(setup);
  await work();
  await until(() => setup.notifications.approvals[0], 'the approvers to be notified');
  expect(await stateOf(setup, id)).toBe('approval');
  await until(async () => ((await queue.size()) === 1 ? true : undefined), 'only the job that ends the wait');
  expect(setup.server.calls.filter(({ operation }) => operation === 'upload')).toEqual([]);
  expect((await approve(services, bo, id)).isFirst).toBe(true);
  expect(await ended(id)).toMatchObject({
    state: 'sent',
    details: { approval: { rules: ['every'], decision: { is: 'approved', by: bo.person } } },
  });
  expect(account.drops).toHaveLength(1);
  await drained();
  const acts = (await store.audit.list('T1', { limit: 50 })).map(({ act, person, outcome }) => [act, person, outcome]);
  expect(acts).toEqual(
    expect.arrayContaining([
      ['ask for approval', anna.person, 'done'],
      ['approve', bo.person, 'done'],
      ['dispatch', anna.person, 'sent'],
    ]),
  );
});

test('the sender cannot approve or decline, even as an approver and admin', async () => {
  const setup = await setUp({ every: true });
  const { services, roles, channelMembers } = setup;
  roles.set(anna.person, 'admin');
  channelMembers.set('C1', [anna.person, bo.person]);
  const id = await ask(setup);
  for (const policy of [{ approvers: [anna.person, bo.person] }, { approvers: [], channel: 'C1' }]) {
    await saveApproval(services, admin, policyWith({ every: true, ...policy }));
    await expect(approve(services, anna, id)).rejects.toMatchObject({ code: 'not-allowed' });
    await expect(decline(services, anna, id, 'no')).rejects.toMatchObject({ code: 'not-allowed' });
    expect(await waitingApprovals(services, anna, 5)).toEqual([]);
  }
  expect(await stateOf(setup, id)).toBe('approval');
});

test('people who are not approvers, guests and other workspaces cannot decide', async () => {
  const setup = await setUp({ every: true });
  const { services, roles } = setup;
  const id = await ask(setup);
  roles.set('U-gus', 'none');
  await setup.addWorkspace('T2');
  const others = [
    [admin, 'not-allowed'],
    [{ workspace: 'T1', person: 'U-gus' }, 'not-allowed'],
    [{ workspace: 'T2', person: bo.person }, 'not-found'],
  ] as const;
  for (const [actor, code] of others) {
    await expect(approve(services, actor, id)).rejects.toMatchObject({ code });
    await expect(decline(services, actor, id, 'no')).rejects.toMatchObject({ code });
  }
  for (const forged of ['', 'x', '7d1c6a86-53b5-4b4e-9a35-0f9c6d1e1c11'])
    await expect(approve(services, bo, forged)).rejects.toMatchObject({ code: 'not-found' });
  expect(await stateOf(setup, id)).toBe('approval');
});

test('someone who is no longer an approver or has left cannot decide', async () => {
  const setup = await setUp({ every: true });
  const { services, roles, channelMembers } = setup;
  const id = await ask(setup);
  roles.set(bo.person, 'none');
  await expect(approve(services, bo, id)).rejects.toMatchObject({ code: 'not-allowed' });
  channelMembers.set('C1', [cleo.person]);
  await saveApproval(services, admin, policyWith({ every: true, channel: 'C1' }));
  channelMembers.set('C1', []);
  await expect(approve(services, cleo, id)).rejects.toMatchObject({ code: 'not-allowed' });
  channelMembers.set('C1', [cleo.person]);
  expect((await approve(services, cleo, id)).isFirst).toBe(true);
});

test('of two people who approve at once, one counts and the transfer is sent once', async () => {
  const setup = await setUp({ every: true });
  const { services, account, work, drained, queue } = setup;
  const id = await ask(setup);
  const decisions = await Promise.all([approve(services, bo, id), approve(services, cleo, id)]);
  expect(decisions.map(({ isFirst }) => isFirst).sort()).toEqual([false, true]);
  const size = await queue.size();
  expect(await approve(services, cleo, id)).toMatchObject({ isFirst: false });
  expect(await queue.size()).toBe(size);
  await work();
  await drained();
  expect(account.drops).toHaveLength(1);
});

test('of two approvers who disagree at once, only the first decision counts', async () => {
  const setup = await setUp({ every: true });
  const { services, account, work, drained } = setup;
  const id = await ask(setup);
  const decisions = await Promise.all([
    approve(services, bo, id),
    decline(services, cleo, id, 'no'),
    approve(services, cleo, id),
    approve(services, bo, id),
  ]);
  const first = decisions.filter(({ isFirst }) => isFirst);
  expect(first).toHaveLength(1);
  await work();
  await drained();
  const transfer = await transfersIn(setup.store).read(id);
  const { decision } = transfer?.details?.approval ?? {};
  expect(decision).toMatchObject({ is: first[0]?.transfer.details.approval?.decision?.is });
  expect(account.drops).toHaveLength(decision?.is === 'approved' ? 1 : 0);
});

test('a declined transfer is not sent, and trying again needs a new approval', async () => {
  const setup = await setUp({ every: true });
  const { services, account, work, ended } = setup;
  await work();
  const id = await ask(setup);
  await decline(services, bo, id, 'Wrong recipient');
  expect(await ended(id)).toMatchObject({
    state: 'failed',
    details: { result: { code: 'declined', sentence: 'Declined: Wrong recipient' } },
  });
  await expect(approve(services, cleo, id)).resolves.toMatchObject({ isFirst: false });
  const again = await prepareAgain(services, anna, id);
  const { id: retry, needsApproval } = await confirmSend(services, anna, again.confirmation);
  expect(needsApproval).toBe(true);
  expect(await stateOf(setup, retry)).toBe('approval');
  expect(account.drops).toEqual([]);
});

test('an approval that no one gives in time ends the transfer once', async () => {
  const setup = await setUp({ every: true, waitDays: 1e-6 });
  const { services, work, ended, drained, store } = setup;
  const id = await ask(setup);
  await work();
  expect(await ended(id)).toMatchObject({ state: 'failed', details: { result: { code: 'approval-expired' } } });
  await expect(approve(services, bo, id)).resolves.toMatchObject({ isFirst: false });
  await drained();
  const ends = (await store.audit.list('T1', { limit: 50 })).filter(({ act }) => act === 'dispatch');
  expect(ends.map(({ outcome }) => outcome)).toEqual(['expired']);
  expect(setup.account.drops).toEqual([]);
});

test('a decision after the wait has ended does not count, even before the job ran', async () => {
  const setup = await setUp({ every: true, waitDays: 1e-6 });
  const id = await ask(setup);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await expect(approve(setup.services, bo, id)).resolves.toMatchObject({ isFirst: false });
  expect(await stateOf(setup, id)).toBe('approval');
});

test('the sender can cancel while it waits, and a later approval does not count', async () => {
  const setup = await setUp({ every: true });
  const { services, work, ended, account, drained } = setup;
  const id = await ask(setup);
  await expect(cancelTransfer(services, bo, id)).rejects.toMatchObject({ code: 'not-allowed' });
  await cancelTransfer(services, anna, id);
  expect(await stateOf(setup, id)).toBe('cancelled');
  await expect(approve(services, bo, id)).resolves.toMatchObject({ isFirst: false });
  await work();
  expect(await ended(id)).toMatchObject({ state: 'cancelled', cancelledBy: anna.person });
  await drained();
  expect(account.drops).toEqual([]);
});

test('cancelling and approving at once ends in one of the two', async () => {
  const setup = await setUp({ every: true });
  const { services, work, drained, account } = setup;
  const ids: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    const id = await ask(setup);
    ids.push(id);
    await Promise.all([approve(services, bo, id), cancelTransfer(services, anna, id)]);
  }
  await work();
  await drained();
  for (const id of ids) expect(await stateOf(setup, id)).toBe('cancelled');
  expect(account.drops).toEqual([]);
});

test('disconnecting ends what waits and says so', async () => {
  const setup = await setUp({ every: true });
  const { services, work, notifications, account } = setup;
  const id = await ask(setup);
  await disconnect(services, admin);
  await expect(approve(services, bo, id)).rejects.toMatchObject({ code: 'not-connected' });
  await work();
  await until(() => notifications.ended.includes(id) || undefined, 'the sender to be notified');
  await until(async () => ((await stateOf(setup, id)) === undefined ? true : undefined), 'the data to be deleted');
  expect(account.drops).toEqual([]);
});

test('a transfer that waits has no place in the queue of its account', async () => {
  const setup = await setUp({ domains: ['example.org'] });
  const { services, store } = setup;
  const waiting = await ask(setup, { receivers: ['dora@example.net'] });
  const queued = await ask(setup);
  expect(await stateOf(setup, waiting)).toBe('approval');
  expect(await transfersIn(store).ahead(queued)).toBe(0);
  expect(await transfersIn(store).ahead(waiting)).toBe(0);
  await approve(services, bo, waiting);
  expect(await transfersIn(store).ahead(queued)).toBe(0);
  expect(await transfersIn(store).ahead(waiting)).toBe(1);
});

test('a rule that is added while it waits needs a new approval', async () => {
  const setup = await setUp({ newRecipients: true });
  const { services, work, ended, account } = setup;
  const id = await ask(setup);
  const approvers = [bo.person, cleo.person];
  await saveApproval(services, admin, policyWith({ newRecipients: true, fileTypes: ['pdf'], approvers }));
  await approve(services, bo, id);
  await work();
  const transfer = await ended(id);
  expect(transfer).toMatchObject({ state: 'failed', details: { result: { code: 'unapproved' } } });
  expect(transfer.details?.result?.sentence).toBe(
    'The approval rules changed, so this needs approval again: file type. Nothing was sent.',
  );
  expect(account.drops).toEqual([]);
});

test('the job stops a transfer that was queued before a rule was turned on', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, work, ended, account } = setup;
  const id = await ask(setup);
  await saveApproval(services, admin, policyWith({ newRecipients: true, approvers: [bo.person] }));
  await work();
  expect(await ended(id)).toMatchObject({
    state: 'failed',
    details: { result: { code: 'unapproved', sentence: 'This needs approval: new recipient. Nothing was sent.' } },
  });
  expect(account.drops).toEqual([]);
});

test('a rule that is turned on during the upload stops the transfer', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, work, ended, account } = setup;
  const slow = server.addFault({ operation: 'upload', kind: 'delay' });
  const id = await ask(setup);
  await work();
  await slow.struck;
  await saveApproval(services, admin, policyWith({ every: true, approvers: [bo.person] }));
  await slow.release();
  expect(await ended(id)).toMatchObject({ state: 'failed', details: { result: { code: 'unapproved' } } });
  expect(account).toMatchObject({ drops: [], uploads: [] });
});

test('a known recipient needs no approval, and an unreadable history counts as new', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, work, ended, account } = setup;
  await work();
  await ended(await ask(setup));
  await saveApproval(services, admin, policyWith({ newRecipients: true, approvers: [bo.person] }));
  const known = await ask(setup);
  expect(await ended(known)).toMatchObject({ state: 'sent' });
  server.addFault({ operation: 'get_history', kind: 'answer', times: 5, answer: { status: 500, body: 'no' } });
  const unreadable = await ask(setup);
  expect(await stateOf(setup, unreadable)).toBe('approval');
  expect(account.drops).toHaveLength(2);
});

test.each([
  ['a contact that is edited', async ({ account }: FeaturesSetup) => void account.contacts.local.splice(0, 1)],
  [
    'a file that is replaced',
    async ({ sourceFiles }: FeaturesSetup) => void sourceFiles.put('F1', 'plan.pdf', 'other!!!', { stamp: '2' }),
  ],
])('%s after the approval stops the transfer', async (_, disturb) => {
  const setup = await setUp({ every: true });
  const { services, work, ended, account } = setup;
  const id = await ask(setup);
  await approve(services, bo, id);
  await disturb(setup);
  await work();
  expect(await ended(id)).toMatchObject({ state: 'failed', details: { result: { code: 'changed' } } });
  expect(account.drops).toEqual([]);
});

test('“Delete and send” keeps the approval, and needs one if there was none', async () => {
  const setup = await setUp({ every: true });
  const { services, account, work, ended } = setup;
  await work();
  const unexpected = () => account.uploads.push({ name: 'x.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  unexpected();
  const id = await ask(setup);
  await approve(services, bo, id);
  expect(await ended(id)).toMatchObject({ details: { result: { code: 'foreign-files' } } });
  const { id: retry } = await removeUnexpectedAndSend(services, admin, id);
  expect(await ended(retry)).toMatchObject({
    state: 'sent',
    details: { approval: { decision: { by: bo.person } } },
  });
  await saveApproval(services, admin, policyWith({}));
  unexpected();
  const unapproved = await ask(setup);
  expect(await ended(unapproved)).toMatchObject({ details: { result: { code: 'foreign-files' } } });
  await saveApproval(services, admin, policyWith({ every: true, approvers: [bo.person] }));
  const { id: stopped } = await removeUnexpectedAndSend(services, admin, unapproved);
  expect(await ended(stopped)).toMatchObject({ state: 'failed', details: { result: { code: 'unapproved' } } });
  expect(account.drops).toHaveLength(1);
});

test('if only the sender could approve, the review says so and cannot be confirmed', async () => {
  const setup = await setUp({ every: true, approvers: [anna.person] });
  const { services, roles, sourceFiles } = setup;
  const files = [sourceFiles.put('F1', 'plan.pdf', 'the plan')];
  const { approval, confirmation } = await prepareSend(services, anna, { ...draft, files });
  expect(approval).toEqual({ rules: ['every'], hasApprover: false });
  await expect(confirmSend(services, anna, confirmation)).rejects.toMatchObject({ code: 'no-approver' });
  await saveApproval(services, admin, policyWith({ every: true, approvers: [anna.person, bo.person] }));
  roles.set(bo.person, 'none');
  await expect(confirmSend(services, anna, confirmation)).rejects.toMatchObject({ code: 'no-approver' });
  roles.delete(bo.person);
  expect(await confirmSend(services, anna, confirmation)).toMatchObject({ needsApproval: true });
});

test('file requests need approval only if the policy says so', async () => {
  const setup = await setUp({ every: true });
  const { services, work, ended, account } = setup;
  await work();
  await changeSettings(services, admin, { requests: true });
  expect(await ended(await requestFiles(services, anna, draft))).toMatchObject({ state: 'sent' });
  await saveApproval(services, admin, policyWith({ every: true, requests: true, approvers: [bo.person] }));
  const id = await requestFiles(services, anna, draft);
  expect(await stateOf(setup, id)).toBe('approval');
  expect(account.uploadPages).toHaveLength(1);
  await approve(services, bo, id);
  expect(await ended(id)).toMatchObject({ state: 'sent' });
  expect(account.uploadPages).toHaveLength(2);
});

test('an account on hold refuses an approval, which can be given later', async () => {
  const setup = await setUp({ every: true });
  const { services, store } = setup;
  const id = await ask(setup);
  const { account } = (await transfersIn(store).read(id)) ?? { account: '' };
  await store.pool.query(`insert into dropline.holds (account, dispatch, reason) values ($1, $2, 'unknown')`, [
    account,
    id,
  ]);
  await expect(approve(services, bo, id)).rejects.toMatchObject({ code: 'held' });
  await store.pool.query('delete from dropline.holds');
  expect((await approve(services, bo, id)).isFirst).toBe(true);
});

test('a decision that fails halfway changes nothing and can be made again', async () => {
  const setup = await setUp({ every: true });
  const { services, sourceFiles, work, ended, queue } = setup;
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
  const { confirmation: id } = await prepareSend(services, anna, { ...draft, files });
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
  await work();
  expect(await ended(id)).toMatchObject({ state: 'sent' });
});
