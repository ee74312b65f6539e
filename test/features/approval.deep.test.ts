import { expect, test } from 'vitest';
import { saveApproval } from '../../src/features/settings/approval/operations.ts';
import { approve, decline } from '../../src/features/transfers/approval/operations.ts';
import {
  confirmSend,
  prepareSend,
  removeUnexpectedAndSend,
} from '../../src/features/transfers/kinds/send/operations.ts';
import { cancelTransfer } from '../../src/features/transfers/operations.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { admin, anna, bo, type FeaturesSetup, setUpFeatures, sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { ask, cleo, draft, type Policy, policyWith, stateOf } from './approval.ts';
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

test("a person who is no longer an approver or a channel member can't approve", async () => {
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

test("a decision after the deadline doesn't count, even before its job has run", async () => {
  const setup = await setUp({ every: true, waitDays: 1e-6 });
  const id = await ask(setup);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await expect(approve(setup.services, bo, id)).resolves.toMatchObject({ isFirst: false });
  expect(await stateOf(setup, id)).toBe('approval');
});

test('a transfer that is cancelled and approved at once is either cancelled or sent', async () => {
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

test("a transfer that waits for approval takes no slot in its account's queue", async () => {
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

test("a recipient counts as new if the history can't be read", async () => {
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

test('“Delete and send” keeps an approval, and fails without a required one', async () => {
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

test('a decision that fails halfway changes no transfer and can be repeated', async () => {
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
