import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { saveApproval } from '../../src/features/settings/approval/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import { metricsRoutes } from '../../src/health.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { type Policy, policyWith } from '../features/approval.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';
import { serve } from '../helpers/serve.ts';

const postgres = startTestPostgres();

async function setUp(policyOf: (people: { anna: Person; cleo: Person }) => Policy) {
  const setup = await setUpApp(postgres);
  const { acme, anna, services } = setup;
  const cleo = acme.addPerson({ name: 'Cleo' });
  const policy = policyWith(policyOf({ anna, cleo }));
  await saveApproval(services, { workspace: acme.id, person: anna.id }, policy);
  return { ...setup, cleo };
}

/** From a shared file to the request for approval. */
async function asks(person: Person): Promise<void> {
  await stages(person, [{ name: 'plan.pdf', data: 'the plan' }]);
  await person.types('/drop send', { in: 'Dropline' });
  await person.picks('To', 'carl');
  await person.fills('Message', 'As discussed');
  await person.submits('Review');
  await person.sees('Needs approval: every transfer');
  await person.submits('Request approval');
  await person.sees("Waiting for approval. I'll update you in our direct messages.");
  await person.closes();
  await person.sees('Approval needed: every transfer. The approvers have been notified.');
}

const opensReview = async (person: Person) => {
  await person.opens('Dropline');
  await person.clicks('Review');
  await person.sees('Approve');
};

test('an approver reviews everything and approves, and every card shows it', async () => {
  const { bo, anna, cleo, account } = await setUp(({ anna, cleo }) => ({ every: true, approvers: [anna.id, cleo.id] }));
  await asks(bo);
  await anna.opens('Dropline');
  await anna.sees('Approval needed');
  await anna.sees('@Bo wants to send 1 file (8 bytes) to 1 person');
  expect(anna.screen()).not.toContain('carl@example.org');
  await opensReview(anna);
  for (const text of ['carl@example.org', '46700000001', 'New recipient', 'plan.pdf', 'As discussed'])
    await anna.sees(text);
  await anna.submits('Approve');
  await anna.sees('Approved by @Anna');
  await anna.closes();
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  await bo.sees('Approved by @Anna');
  expect(account.drops).toHaveLength(1);
  await cleo.opens('Dropline');
  await cleo.sees('Approved by @Anna');
  expect(cleo.screen()).not.toContain('[Review]');
});

test('a declined transfer shows the reason, and its draft can be edited', async () => {
  const { bo, anna, cleo, account } = await setUp(({ cleo }) => ({ every: true, approvers: [cleo.id] }));
  await asks(bo);
  await opensReview(cleo);
  await cleo.clicks('Decline…');
  await cleo.fills('Reason', ' ');
  await cleo.submits('Decline');
  await cleo.sees('Enter a reason.');
  await cleo.fills('Reason', 'Not this <!channel> recipient');
  await cleo.submits('Decline');
  await cleo.sees('Declined by @Cleo');
  await bo.opens('Dropline');
  await bo.sees('Declined: Not this <!channel> recipient');
  await bo.sees('Declined by @Cleo');
  await bo.clicks('Edit…');
  await bo.sees('To: carl@example.org (Carl)');
  await bo.sees('As discussed');
  await bo.sees('plan.pdf');
  await bo.closes();
  expect(account.drops).toEqual([]);
  expect(anna.messages.filter(({ text }) => text.includes('Approval needed'))).toEqual([]);
});

test('the second of two approvers sees who decided first', async () => {
  const { bo, anna, cleo, account } = await setUp(({ anna, cleo }) => ({ every: true, approvers: [anna.id, cleo.id] }));
  await asks(bo);
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

test('a click that is delivered twice approves once', async () => {
  const { bo, cleo, slack, account, untilIdle } = await setUp(({ cleo }) => ({ every: true, approvers: [cleo.id] }));
  await asks(bo);
  await opensReview(cleo);
  slack.addFault({ delivery: 'view_submission', kind: 'duplicate' });
  await cleo.submits('Approve');
  await cleo.sees('Approved by @Cleo');
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  await untilIdle();
  expect(account.drops).toHaveLength(1);
});

test('a card in a channel shows only counts, and only its members can decide', async () => {
  const setup = await setUpApp(postgres);
  const { acme, anna, bo, gus, services, account } = setup;
  const cleo = acme.addPerson({ name: 'Cleo' });
  const dan = acme.addPerson({ name: 'Dan' });
  const channel = acme.addChannel({ name: 'approvals', members: [bo, cleo, gus, 'app'] });
  const policy = policyWith({ every: true, channel: channel.id });
  await saveApproval(services, { workspace: acme.id, person: anna.id }, policy);
  await asks(bo);
  const reviewIn = async (person: Person) => {
    await person.opens('#approvals');
    await person.clicks('Review');
  };
  await cleo.opens('#approvals');
  await cleo.sees('wants to send 1 file (8 bytes) to 1 person');
  expect(cleo.screen()).not.toMatch(/carl|plan\.pdf/);
  await reviewIn(gus);
  await gus.sees("Guests, bots and people from other organisations can't use Dropline here.");
  await reviewIn(bo);
  await bo.sees("You can't approve your own transfer. Another approver has to.");
  channel.add(dan);
  await reviewIn(dan);
  await dan.sees('carl@example.org');
  channel.remove(dan);
  await dan.submits('Approve');
  await dan.sees("You can't approve transfers in this workspace. An admin can allow it.");
  channel.share();
  await reviewIn(cleo);
  await cleo.sees("You can't approve transfers in this workspace. An admin can allow it.");
  await cleo.closes();
  channel.unshare();
  await reviewIn(cleo);
  await cleo.sees('carl@example.org');
  await cleo.submits('Approve');
  await cleo.sees('Approved by @Cleo');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
});

test('the sender cancels while it waits, and the approver learns of it', async () => {
  const { bo, cleo, account } = await setUp(({ cleo }) => ({ every: true, approvers: [cleo.id] }));
  await asks(bo);
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

test('Home and the status show approvers what waits for them', async () => {
  const { bo, cleo, anna } = await setUp(({ cleo }) => ({ every: true, approvers: [cleo.id] }));
  await asks(bo);
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

test('a request for files waits for approval too', async () => {
  const setup = await setUp(({ cleo }) => ({ every: true, requests: true, approvers: [cleo.id] }));
  const { acme, anna, bo, cleo, account, services } = setup;
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true });
  await bo.types('/drop request', { in: 'Dropline' });
  await bo.picks('Request from', 'carl');
  await bo.fills('Message', 'Please send it');
  await bo.submits('Review');
  await bo.sees('Needs approval: every transfer');
  await bo.submits('Request approval');
  await bo.sees('Waiting for approval: file request to carl@example.org');
  expect(account.uploadPages).toEqual([]);
  await opensReview(cleo);
  await cleo.sees('Please send it');
  await cleo.submits('Approve');
  await cleo.sees('Approved by @Cleo');
  await bo.sees('Requested files from 1 person');
  expect(account.uploadPages).toHaveLength(1);
});

test('metrics show what waits and what was decided', async () => {
  const { bo, cleo, services } = await setUp(({ cleo }) => ({ every: true, approvers: [cleo.id] }));
  const url = await serve(createServer(metricsRoutes(services)));
  const metrics = async () => (await fetch(`${url}/metrics`)).text();
  await asks(bo);
  expect(await metrics()).toMatch(/^dropline_approvals_waiting 1$/m);
  await opensReview(cleo);
  await cleo.submits('Approve');
  await cleo.sees('Approved by @Cleo');
  expect(await metrics()).toMatch(/^dropline_approvals_waiting 0$/m);
  expect(await metrics()).toMatch(/^dropline_approvals_total\{outcome="approved"\} \d+$/m);
});

test('a transfer that no one approves in time ends with a notice', async () => {
  const { bo, cleo, account } = await setUp(({ cleo }) => ({
    every: true,
    approvers: [cleo.id],
    waitDays: 2 / 86_400,
  }));
  await asks(bo);
  await bo.sees('No one approved it in time. Nothing was sent.');
  await cleo.opens('Dropline');
  await cleo.sees('Not approved in time');
  await cleo.doesNotSee('[Review]');
  expect(account.drops).toEqual([]);
});

async function opensSettings({ anna }: AppSetup): Promise<void> {
  await anna.types('/drop settings', { in: '#general' });
  await anna.sees('No transfer needs approval');
  await anna.clicks('Change approval');
  await anna.sees('Ask for approval');
}

test('an admin turns approval on, and turning a rule off has to be confirmed', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, gus, acme, services } = setup;
  acme.addChannel({ name: 'with-others', members: [anna, 'app'], invited: true });
  await opensSettings(setup);
  await anna.clicks('For new recipients');
  await anna.submits('Save');
  await anna.sees('Choose who can approve: people, or a channel below.');
  await anna.picks('Or the members of a channel', 'with-others');
  await anna.submits('Save');
  await anna.sees('#with-others is shared with another organisation. Choose another channel.');
  await anna.reloads();
  await opensSettings(setup);
  await anna.clicks('For new recipients');
  await anna.picks('Approvers', gus.name);
  await anna.submits('Save');
  await anna.sees('Remove them from this list');
  await anna.unpicks('Approvers', gus.name);
  await anna.picks('Approvers', bo.name);
  await anna.fills('File types', '.DOCX, zip');
  await anna.fills('Total size without approval (MB)', '25');
  await anna.fills('Days to wait for a decision', '31');
  await anna.submits('Save');
  await anna.sees('Enter a number from 1 to 30.');
  await anna.fills('Days to wait for a decision', '5');
  await anna.submits('Save');
  await anna.sees('Approval needed: new recipients, more than 25 MB and docx and zip files');
  await anna.sees('Approvers: @Bo');
  const { policies } = await readSettings(services, acme.id);
  expect(policies.approval).toMatchObject({
    newRecipients: true,
    bytes: 25_000_000,
    fileTypes: ['docx', 'zip'],
    approvers: [bo.id],
    waitDays: 5,
  });
  await anna.clicks('Change approval');
  await anna.clicks('For new recipients');
  await anna.submits('Save');
  await anna.sees('Nothing is saved yet. This turns off: new recipients.');
  await anna.clicks('Turn off these rules');
  await anna.submits('Save');
  await anna.sees('Approval needed: more than 25 MB and docx and zip files');
});
