import { expect, test } from 'vitest';
import { disconnect } from '../../src/features/account/leave/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { approve, decline, waitingApprovals } from '../../src/features/transfers/approval/operations.ts';
import { cancelTransfer } from '../../src/features/transfers/lifecycle/operations.ts';
import { allOf, transfersIn } from '../../src/features/transfers/repository.ts';
import { confirmSend, prepareAgain, prepareSend } from '../../src/features/transfers/send/operations.ts';
import { admin, anna, bo, setUpFeatures, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { requestFiles } from '../helpers/requests.ts';
import { officeFiles } from '../scan/helper.ts';
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

const postgres = startTestPostgres();

async function setUp(policy: Policy) {
  const setup = await setUpFeatures(postgres);
  await saveApproval(setup.services, admin, policyWith({ approvers: [bo.person, cleo.person], ...policy }));
  return setup;
}

test('a transfer that needs approval is sent only after another person approves it', async () => {
  const setup = await setUp({ every: true });
  const { services, account, startWorker, untilDrained, untilEnded, store, queue } = setup;
  const id = await confirmTransfer(setup);
  await startWorker();
  await until(() => setup.notifications.approvals[0], 'the approvers to be notified');
  expect(await stateOf(setup, id)).toBe('approval');
  await until(async () => ((await queue.size()) === 1 ? true : undefined), 'only the job that ends the wait');
  expect(setup.server.calls.filter(({ operation }) => operation === 'upload')).toEqual([]);
  expect((await approve(services, bo, id)).isFirst).toBe(true);
  expect(await untilEnded(id)).toMatchObject({
    state: 'sent',
    approval: { rules: ['every'], decision: { is: 'approved', by: bo.person } },
  });
  expect(account.drops).toHaveLength(1);
  await untilDrained();
  const entries = (await store.audit.list('T1', { limit: 50 })).map(({ action, person, outcome }) => [
    action,
    person,
    outcome,
  ]);
  expect(entries).toEqual(
    expect.arrayContaining([
      ['ask for approval', anna.person, 'done'],
      ['approve', bo.person, 'done'],
      ['send', anna.person, 'sent'],
    ]),
  );
});

test('the sender cannot approve or decline, even as an approver and admin', async () => {
  const setup = await setUp({ every: true });
  const { services, roles, channelMembers } = setup;
  roles.set(anna.person, 'admin');
  channelMembers.set('C1', [anna.person, bo.person]);
  const id = await confirmTransfer(setup);
  for (const policy of [{ approvers: [anna.person, bo.person] }, { approvers: ['C1'] }]) {
    await saveApproval(services, admin, policyWith({ every: true, ...policy }));
    await expect(approve(services, anna, id)).rejects.toMatchObject({ code: 'not-allowed' });
    await expect(decline(services, anna, id, 'no')).rejects.toMatchObject({ code: 'not-allowed' });
    expect(await waitingApprovals(services, anna, 5)).toEqual([]);
  }
  expect(await stateOf(setup, id)).toBe('approval');
});

test("the transfers that wait for approval aren't read for someone who can't approve", async () => {
  const setup = await setUp({ every: true });
  await confirmTransfer(setup);
  expect(await waitingApprovals(setup.services, bo, 5)).toHaveLength(1);
  await setup.store.pool.query(`update dropline.transfers set content_encrypted = 'unreadable'`);
  await expect(waitingApprovals(setup.services, bo, 5)).rejects.toThrow('not an encrypted text');
  expect(await waitingApprovals(setup.services, admin, 5)).toEqual([]);
});

test("guests, other workspaces and people who aren't approvers can't decide", async () => {
  const setup = await setUp({ every: true });
  const { services, roles } = setup;
  const id = await confirmTransfer(setup);
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
  const { services, account, startWorker, untilDrained, queue } = setup;
  const id = await confirmTransfer(setup);
  const decisions = await Promise.all([approve(services, bo, id), approve(services, cleo, id)]);
  expect(decisions.map(({ isFirst }) => isFirst).sort()).toEqual([false, true]);
  const size = await queue.size();
  expect(await approve(services, cleo, id)).toMatchObject({ isFirst: false });
  expect(await queue.size()).toBe(size);
  await startWorker();
  await untilDrained();
  expect(account.drops).toHaveLength(1);
});

test("a declined transfer isn't sent, and trying again needs a new approval", async () => {
  const setup = await setUp({ every: true });
  const { services, account, startWorker, untilEnded } = setup;
  await startWorker();
  const id = await confirmTransfer(setup);
  await decline(services, bo, id, 'Wrong recipient');
  expect(await untilEnded(id)).toMatchObject({
    state: 'failed',
    progress: { result: { code: 'declined', message: 'Declined: Wrong recipient' } },
  });
  await expect(approve(services, cleo, id)).resolves.toMatchObject({ isFirst: false });
  const again = await prepareAgain(services, anna, id);
  const { id: retry, needsApproval } = await confirmSend(services, anna, again.reviewId);
  expect(needsApproval).toBe(true);
  expect(await stateOf(setup, retry)).toBe('approval');
  expect(account.drops).toEqual([]);
});

test('if no one approves a transfer in time, it expires, with one audit entry', async () => {
  const setup = await setUp({ every: true, waitDays: 1e-6 });
  const { services, startWorker, untilEnded, untilDrained, store } = setup;
  const id = await confirmTransfer(setup);
  await startWorker();
  expect(await untilEnded(id)).toMatchObject({ state: 'failed', progress: { result: { code: 'approval-expired' } } });
  await expect(approve(services, bo, id)).resolves.toMatchObject({ isFirst: false });
  await untilDrained();
  const ends = (await store.audit.list('T1', { limit: 50 })).filter(({ action }) => action === 'send');
  expect(ends.map(({ outcome }) => outcome)).toEqual(['expired']);
  expect(setup.account.drops).toEqual([]);
});

test("if a transfer is cancelled before its approval, the approval doesn't count", async () => {
  const setup = await setUp({ every: true });
  const { services, startWorker, untilEnded, account, untilDrained } = setup;
  const id = await confirmTransfer(setup);
  await expect(cancelTransfer(services, bo, id)).rejects.toMatchObject({ code: 'not-allowed' });
  await cancelTransfer(services, anna, id);
  expect(await stateOf(setup, id)).toBe('cancelled');
  await expect(approve(services, bo, id)).resolves.toMatchObject({ isFirst: false });
  await startWorker();
  expect(await untilEnded(id)).toMatchObject({ state: 'cancelled', cancelledBy: anna.person });
  await untilDrained();
  expect(account.drops).toEqual([]);
});

test('disconnecting ends a transfer that waits for approval; its sender is notified', async () => {
  const setup = await setUp({ every: true });
  const { services, startWorker, notifications, account } = setup;
  const id = await confirmTransfer(setup);
  await disconnect(services, admin);
  await expect(approve(services, bo, id)).rejects.toMatchObject({ code: 'not-connected' });
  await startWorker();
  await until(() => notifications.ended.includes(id) || undefined, 'the sender to be notified');
  await until(async () => ((await stateOf(setup, id)) === undefined ? true : undefined), 'the data to be deleted');
  expect(account.drops).toEqual([]);
});

test('an approved transfer fails if a rule added after its confirmation applies to it', async () => {
  const setup = await setUp({ newRecipients: true });
  const { services, startWorker, untilEnded, account } = setup;
  const id = await confirmTransfer(setup);
  const approvers = [bo.person, cleo.person];
  await saveApproval(services, admin, policyWith({ newRecipients: true, fileTypes: ['pdf'], approvers }));
  await approve(services, bo, id);
  await startWorker();
  const transfer = await untilEnded(id);
  expect(transfer).toMatchObject({ state: 'failed', progress: { result: { code: 'unapproved' } } });
  expect(transfer.progress.result?.message).toBe(
    'The approval rules changed, so this needs approval again: file type. Nothing was sent.',
  );
  expect(account.drops).toEqual([]);
});

test('if an approval rule is turned on, the job of an already queued transfer stops it', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, startWorker, untilEnded, account } = setup;
  const id = await confirmTransfer(setup);
  await saveApproval(services, admin, policyWith({ newRecipients: true, approvers: [bo.person] }));
  await startWorker();
  expect(await untilEnded(id)).toMatchObject({
    state: 'failed',
    progress: { result: { code: 'unapproved', message: 'This needs approval: new recipient. Nothing was sent.' } },
  });
  expect(account.drops).toEqual([]);
});

test('if an approval rule is turned on during the upload, the transfer stops', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, server, startWorker, untilEnded, account } = setup;
  const slow = server.addFault({ operation: 'upload', kind: 'delay' });
  const id = await confirmTransfer(setup);
  await startWorker();
  await slow.triggered;
  await saveApproval(services, admin, policyWith({ every: true, approvers: [bo.person] }));
  await slow.release();
  expect(await untilEnded(id)).toMatchObject({ state: 'failed', progress: { result: { code: 'unapproved' } } });
  expect(account).toMatchObject({ drops: [], uploads: [] });
});

test("if only the sender could approve, the review says so and can't be confirmed", async () => {
  const setup = await setUp({ every: true, approvers: [anna.person] });
  const { services, roles, sourceFiles } = setup;
  const files = [sourceFiles.put('F1', 'plan.pdf', 'the plan')];
  const { approval, reviewId } = await prepareSend(services, anna, { ...draft, files });
  expect(approval).toEqual({ rules: ['every'], hasApprover: false });
  await expect(confirmSend(services, anna, reviewId)).rejects.toMatchObject({ code: 'no-approver' });
  await saveApproval(services, admin, policyWith({ every: true, approvers: [anna.person, bo.person] }));
  roles.set(bo.person, 'none');
  await expect(confirmSend(services, anna, reviewId)).rejects.toMatchObject({ code: 'no-approver' });
  roles.delete(bo.person);
  const confirmed = await confirmSend(services, anna, reviewId, { note: 'x'.repeat(400) });
  expect(confirmed).toMatchObject({ needsApproval: true });
  expect(await transfersIn(services.store).read(reviewId)).toMatchObject({ approval: { note: 'x'.repeat(300) } });
});

test('an approval ends after the days to wait; the transfer then needs another one', async () => {
  const setup = await setUp({ every: true, waitDays: 3 });
  const { services, account, startWorker, untilEnded, store, server } = setup;
  const id = await confirmTransfer(setup);
  await approve(services, bo, id);
  await ageDecision(setup, id, 3.1);
  server.calls.length = 0;
  await startWorker();
  const asked = await until(async () => {
    const transfer = await transfersIn(store).read(id);
    return transfer?.state === 'approval' ? transfer.approval : undefined;
  }, 'the approval to be asked for again');
  expect(asked).toMatchObject({ rules: ['every'], isRenewed: true });
  expect(asked?.decision).toBeUndefined();
  expect(asked?.until).toBeGreaterThan(Date.now() + 2.9 * 86_400_000);
  await until(() => setup.notifications.approvals.includes(id) || undefined, 'the approvers to be notified');
  expect(server.calls.filter(({ operation }) => operation === 'upload')).toEqual([]);
  expect((await approve(services, cleo, id)).isFirst).toBe(true);
  await ageDecision(setup, id, 2.9);
  expect(await untilEnded(id)).toMatchObject({
    state: 'sent',
    approval: { decision: { by: cleo.person } },
  });
  expect(account.drops).toHaveLength(1);
});

test('file requests need approval only if the policy says so', async () => {
  const setup = await setUp({ every: true });
  const { services, startWorker, untilEnded, account } = setup;
  await startWorker();
  await changeSettings(services, admin, { requests: true });
  expect(await untilEnded(await requestFiles(services, anna, draft))).toMatchObject({ state: 'sent' });
  await saveApproval(services, admin, policyWith({ every: true, requests: true, approvers: [bo.person] }));
  const id = await requestFiles(services, anna, draft);
  expect(await stateOf(setup, id)).toBe('approval');
  expect(account.uploadPages).toHaveLength(1);
  await approve(services, bo, id);
  expect(await untilEnded(id)).toMatchObject({ state: 'sent' });
  expect(account.uploadPages).toHaveLength(2);
});

const namesAndContents: [name: string, data: string | Buffer, rules: string[] | undefined][] = [
  ['payroll.dat', officeFiles.xlsx, ['file-type']],
  ['payroll', officeFiles.xlsx, ['file-type']],
  ['payroll.xlsx_', officeFiles.xlsx, ['file-type']],
  ['payroll.txt', officeFiles.xlsx, ['file-type']],
  ['payroll.pdf', Buffer.concat([Buffer.from('x'), officeFiles.xlsx]), ['file-type']],
  ['payroll.txt', Buffer.concat([Buffer.from('x'), officeFiles.xlsx]), ['file-type']],
  ['payroll.bin', Buffer.concat([Buffer.from('x'), officeFiles.xlsx]), ['file-type']],
  ['payroll.docx', Buffer.from('d0cf11e0a1b11ae100', 'hex'), ['file-type']],
  ['notes', 'text', ['file-type']],
  ['notes.txt', 'text', undefined],
  ['plan.pdf', '%PDF-1.7\n', undefined],
  ['plan.docx', officeFiles.docx, undefined],
];

test('an approval rule for a file type looks at names and contents', async () => {
  const { services, sourceFiles } = await setUp({ fileTypes: ['xlsx'] });
  for (const [index, [name, data, rules]] of namesAndContents.entries()) {
    const files = [sourceFiles.put(`F${index}`, name, data)];
    const { approval } = await prepareSend(services, anna, { ...draft, files });
    expect(approval?.rules, `${index}: ${name}`).toEqual(rules);
  }
});

test('a file type rule that is added after the review applies to every file', async () => {
  const setup = await setUp({});
  const { services, startWorker, untilEnded, account } = setup;
  const id = await confirmTransfer(setup);
  await saveApproval(services, admin, policyWith({ fileTypes: ['xlsx'], approvers: [bo.person] }));
  await startWorker();
  expect((await untilEnded(id)).progress.result).toMatchObject({ code: 'unapproved' });
  expect(account.drops).toEqual([]);
});

test("an approved file isn't sent if its content became another type", async () => {
  const setup = await setUp({ every: true, fileTypes: ['xlsx'] });
  const { services, sourceFiles, startWorker, untilEnded, account } = setup;
  const id = await confirmTransfer(setup);
  await approve(services, bo, id);
  sourceFiles.put('F1', 'plan.pdf', '%PDF-1.7');
  await startWorker();
  expect((await untilEnded(id)).progress.result).toMatchObject({ code: 'not-allowed', names: ['plan.pdf'] });
  expect(account.drops).toEqual([]);
});

test('at most 10 transfers of a person wait for approval, even if confirmed at once', async () => {
  const setup = await setUp({ every: true });
  const { services, store, sourceFiles } = setup;
  const files = [sourceFiles.put('F1', 'plan.pdf', 'the plan')];
  const reviewIds = await Promise.all(
    Array.from({ length: 12 }, async () => (await prepareSend(services, anna, { ...draft, files })).reviewId),
  );
  const confirmed = await Promise.allSettled(reviewIds.map((id) => confirmSend(services, anna, id)));
  const waiting = () => allOf(transfersIn(store).active({ workspace: anna.workspace, states: ['approval'] }));
  expect(await waiting()).toHaveLength(10);
  const reasons = confirmed.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const message =
    'You have 10 transfers waiting for approval. Wait for a decision, or cancel one in our direct messages.';
  expect(reasons.map((reason: Error) => reason.message)).toEqual([message, message]);
  const { reviewId } = await prepareSend(services, bo, { ...draft, files });
  await confirmSend(services, bo, reviewId);
  await cancelTransfer(services, anna, (await waiting()).find(({ person }) => person === anna.person)?.id ?? '');
  // The refused review wasn't used up.
  const refused = confirmed.findIndex(({ status }) => status === 'rejected');
  await confirmSend(services, anna, reviewIds[refused] ?? '');
  expect(await waiting()).toHaveLength(11);
});
