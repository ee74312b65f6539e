import { expect, test } from 'vitest';
import { disconnect } from '../../src/features/account/leave/operations.ts';
import { saveApproval } from '../../src/features/settings/approval/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { approve, decline, waitingApprovals } from '../../src/features/transfers/approval/operations.ts';
import { confirmSend, prepareAgain, prepareSend } from '../../src/features/transfers/kinds/send/operations.ts';
import { cancelTransfer } from '../../src/features/transfers/operations.ts';
import { admin, anna, bo, setUpFeatures, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { requestFiles } from '../helpers/requests.ts';
import { ask, cleo, draft, type Policy, policyWith, stateOf } from './approval.ts';

const postgres = startTestPostgres();

async function setUp(policy: Policy) {
  const setup = await setUpFeatures(postgres);
  await saveApproval(setup.services, admin, policyWith({ approvers: [bo.person, cleo.person], ...policy }));
  return setup;
}

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

test("people who aren't approvers, guests and other workspaces can't approve", async () => {
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

test('two approvals at the same time count as one, and the transfer is sent once', async () => {
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

test("a declined transfer isn't sent, and trying again needs a new approval", async () => {
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

test('a transfer that no one approves in time ends once', async () => {
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

test('cancelling a transfer that waits for approval makes a later approval invalid', async () => {
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

test('disconnecting ends a transfer that waits for approval and notifies its sender', async () => {
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

test('a rule added while a transfer waits for approval needs a new approval', async () => {
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

test('a transfer queued before an approval rule was turned on is stopped by its job', async () => {
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

test('an approval rule turned on during the upload stops the transfer', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, work, ended, account } = setup;
  const slow = server.addFault({ operation: 'upload', kind: 'delay' });
  const id = await ask(setup);
  await work();
  await slow.triggered;
  await saveApproval(services, admin, policyWith({ every: true, approvers: [bo.person] }));
  await slow.release();
  expect(await ended(id)).toMatchObject({ state: 'failed', details: { result: { code: 'unapproved' } } });
  expect(account).toMatchObject({ drops: [], uploads: [] });
});

test("the review can't be confirmed if only the sender could approve, and says so", async () => {
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
