import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { metricsRoutes } from '../../src/process/health.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { policyWith, saveApproval } from '../features/approval.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';
import { serve } from '../helpers/serve.ts';
import { asksForApproval, opensReview, setUpApproval } from './approval.ts';
import { openCard } from './request.ts';

const postgres = startTestPostgres();

test('the second of two approvers sees who decided first', async () => {
  const { bo, anna, cleo, account } = await setUpApproval(postgres, ({ anna, cleo }) => ({
    every: true,
    approvers: [anna.id, cleo.id],
  }));
  await asksForApproval(bo);
  await opensReview(anna);
  await opensReview(cleo);
  await cleo.submits('Approve');
  await cleo.sees('Approved by @Cleo');
  await anna.clicks('Decline…');
  await anna.fills('Reason', 'No');
  await anna.submits('Decline');
  await anna.sees('Approved by @Cleo');
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
});

test('if Slack delivers an approval twice, the transfer is sent once', async () => {
  const { bo, cleo, slack, account, untilIdle } = await setUpApproval(postgres, ({ cleo }) => ({
    every: true,
    approvers: [cleo.id],
  }));
  await asksForApproval(bo);
  await opensReview(cleo);
  slack.addFault({ delivery: 'view_submission', kind: 'duplicate' });
  await cleo.submits('Approve');
  await cleo.sees('Approved by @Cleo');
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  await untilIdle();
  expect(account.drops).toHaveLength(1);
});

test('the approver learns that the sender cancelled a transfer waiting for approval', async () => {
  const { bo, cleo, account } = await setUpApproval(postgres, ({ cleo }) => ({ every: true, approvers: [cleo.id] }));
  await asksForApproval(bo);
  await opensReview(cleo);
  await bo.clicks('Cancel sending plan.pdf');
  await bo.confirms('Cancel transfer');
  await bo.sees('Nothing was sent.');
  await cleo.submits('Approve');
  await cleo.sees('Cancelled.');
  await cleo.closes();
  await cleo.opens('Dropline');
  await cleo.doesNotSee('[Review]');
  await cleo.sees('Cancelled');
  expect(account.drops).toEqual([]);
});

test('the Home tab and the status show approvers the transfers that wait for them', async () => {
  const { bo, cleo, anna } = await setUpApproval(postgres, ({ cleo }) => ({ every: true, approvers: [cleo.id] }));
  await asksForApproval(bo);
  await cleo.opens('Home of Dropline');
  await cleo.sees('Waiting for your approval');
  await cleo.sees('@Bo wants to send 1 file (8 bytes) to 1 person: every transfer');
  await anna.types('/drop status', { in: '#general' });
  await anna.sees('1 waiting for approval.');
  expect(anna.screen()).not.toContain('Waiting for your approval');
  await bo.opens('Home of Dropline');
  await bo.sees('waiting for approval');
  expect(bo.screen()).not.toContain('Waiting for your approval');
  await cleo.opens('Dropline');
  await cleo.types('/drop status');
  await cleo.sees('Waiting for your approval');
});

test('a file request also waits for approval', async () => {
  const setup = await setUpApproval(postgres, ({ cleo }) => ({ every: true, requests: true, approvers: [cleo.id] }));
  const { acme, anna, bo, cleo, account, services } = setup;
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true });
  await bo.types('/drop request', { in: 'Dropline' });
  await bo.picks('Request from', 'carl');
  await bo.fills('Message', 'Please send it');
  await bo.submits('Review');
  await bo.sees('Needs approval: every transfer');
  await bo.submits('Request approval');
  await openCard(bo);
  await bo.sees('Waiting for approval: file request to carl@example.org');
  expect(account.uploadPages).toEqual([]);
  await opensReview(cleo);
  await cleo.sees('1 person can upload files:');
  await cleo.sees('Please send it');
  await cleo.doesNotSee('Back');
  await cleo.doesNotSee('your request');
  await cleo.submits('Approve');
  await cleo.sees('Approved by @Cleo');
  await bo.sees('Requested files from 1 person');
  expect(account.uploadPages).toHaveLength(1);
});

test('log and metrics have the transfers that wait for approval, and the decisions', async () => {
  const setup = await setUpApproval(postgres, ({ cleo }) => ({ every: true, approvers: [cleo.id] }));
  const { bo, cleo, services, logged } = setup;
  const url = await serve(createServer(metricsRoutes(services, 'web', undefined, undefined)));
  const metrics = async () => (await fetch(`${url}/metrics`)).text();
  // The tests of this file share a bot, so the counters don't start at 0.
  const decisions = async () => {
    const text = await metrics();
    const countOf = (outcome: string) =>
      Number(new RegExp(`^dropline_approvals_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
    return { asked: countOf('asked'), approved: countOf('approved'), declined: countOf('declined') };
  };
  const before = await decisions();
  await asksForApproval(bo);
  expect(await metrics()).toMatch(/^dropline_approvals_waiting 1$/m);
  expect(logged()).toMatch(new RegExp(`"person":"${bo.id}","operation":"approval".*"approval requested"`));
  await opensReview(cleo);
  await cleo.submits('Approve');
  await cleo.sees('Approved by @Cleo');
  expect(await metrics()).toMatch(/^dropline_approvals_waiting 0$/m);
  await cleo.closes();
  await asksForApproval(bo);
  await opensReview(cleo);
  await cleo.clicks('Decline…');
  await cleo.fills('Reason', 'No');
  await cleo.submits('Decline');
  await cleo.sees('Declined by @Cleo');
  const { asked, approved, declined } = await decisions();
  expect([asked - before.asked, approved - before.approved, declined - before.declined]).toEqual([2, 1, 1]);
});

test('if no one approves a transfer in time, it ends with a notice', async () => {
  const { bo, cleo, account } = await setUpApproval(postgres, ({ cleo }) => ({
    every: true,
    approvers: [cleo.id],
    waitDays: 2 / 86_400,
  }));
  await asksForApproval(bo);
  await bo.sees('No one approved it in time. Nothing was sent.');
  await cleo.opens('Dropline');
  await cleo.sees('Not approved in time');
  await cleo.doesNotSee('[Review]');
  expect(account.drops).toEqual([]);
});

test('an approver who has become a guest and a former admin are refused at once', async () => {
  const { bo, anna, cleo, account, acme } = await setUpApproval(postgres, ({ anna, cleo }) => ({
    every: true,
    approvers: [anna.id, cleo.id],
  }));
  const changeRole = ({ id }: Person, role: 'guest' | 'member') => {
    const user = acme.state.users.get(id);
    if (user !== undefined) user.role = role;
  };
  await asksForApproval(bo);
  await opensReview(cleo);
  changeRole(cleo, 'guest');
  await cleo.submits('Approve');
  await cleo.sees("Guests, bots and people from other organisations can't use Dropline here.");
  await anna.types('/drop disconnect', { in: 'Dropline' });
  await anna.sees('Leftover uploads are deleted.');
  changeRole(anna, 'member');
  await anna.clicks('Disconnect…');
  await anna.clicks('Disconnect');
  await anna.sees('Only admins and owners in Slack can disconnect this workspace.');
  await anna.closes();
  await opensReview(anna);
  await anna.submits('Approve');
  await anna.sees('Approved by @Anna');
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
});

test("members of an approvers' channel that became public can't approve", async () => {
  const { acme, anna, bo, services, account } = await setUpApp(postgres);
  const [cleo, dan] = [acme.addPerson({ name: 'Cleo' }), acme.addPerson({ name: 'Dan' })];
  const channel = acme.addChannel({ name: 'approvals', kind: 'private', members: [bo, cleo, 'app'] });
  await saveApproval(
    services,
    { workspace: acme.id, person: anna.id },
    policyWith({ every: true, approvers: [channel.id] }),
  );
  await asksForApproval(bo);
  await cleo.opens('#approvals');
  await cleo.sees('Approval needed');
  channel.setKind('public');
  channel.add(dan);
  for (const person of [dan, cleo]) {
    await person.opens('#approvals');
    await person.clicks('Review');
    await person.sees("You can't approve transfers in this workspace. An admin can allow it.");
    await person.closes();
  }
  const warnings = () => anna.messages.filter(({ text }) => text.includes('is public now, so anyone could join it'));
  expect(warnings()).toHaveLength(1);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.attaches('Files', [{ name: 'other.pdf', data: 'other' }]);
  await bo.submits('Review');
  await bo.sees('This needs approval (every transfer), and no one else can approve it.');
  await bo.closes();
  channel.setKind('private');
  await cleo.clicks('Review');
  await cleo.submits('Approve');
  await cleo.sees('Approved by @Cleo');
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
  expect(warnings()).toHaveLength(1);
});

test('the Back button of a review keeps the note to the approver', async () => {
  const setup = await setUpApproval(postgres, ({ anna }) => ({ every: true, requests: true, approvers: [anna.id] }));
  const { acme, anna, bo, services } = setup;
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  for (const [command, recipients] of [
    ['/drop send', 'To'],
    ['/drop request', 'Request from'],
  ] as const) {
    await bo.types(command, { in: 'Dropline' });
    await bo.picks(recipients, 'carl');
    await bo.fills('Message', 'As discussed');
    await bo.submits('Review');
    expect(bo.screen()).not.toContain('Needed today');
    await bo.fills('Note to the approver', 'Needed today');
    await bo.clicks('Back');
    await bo.fills('Message', 'As agreed');
    await bo.submits('Review');
    await bo.sees('Note to the approver (optional): Needed today');
    await bo.submits('Request approval');
    await bo.sees('Waiting for approval.');
    await bo.closes();
  }
});
