import { expect, test } from 'vitest';
import { pause } from '../../src/features/pause/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { resumeTransfers } from '../../src/features/transfers/queue.ts';
import { allOf, transfersIn } from '../../src/features/transfers/repository.ts';
import { ageDecision } from '../features/approval.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { reviews, stages } from '../helpers/send-steps.ts';
import { asksForApproval, opensReview, setUpApproval } from './approval.ts';
import { requestsApproval } from './waiting-approval.ts';

const postgres = startTestPostgres();

test('if an approved transfer waits too long, approvers are asked again and told why', async () => {
  const setup = await setUpApproval(postgres, ({ cleo }) => ({ every: true, approvers: [cleo.id] }));
  const { acme, bo, anna, cleo, account, services } = setup;
  const admin = { workspace: acme.id, person: anna.id };
  await asksForApproval(bo);
  await opensReview(cleo);
  await pause(services, admin, 'sending', 'Migration');
  await cleo.submits('Approve');
  await cleo.sees('Approved by @Cleo');
  await cleo.closes();
  await bo.sees('Paused by an admin: Migration.');
  const [waiting] = await allOf(transfersIn(services.store).active({ workspace: acme.id }));
  await ageDecision(services, waiting?.id ?? '', 4);
  await resumeTransfers(services, admin, 'sending');
  await bo.sees('It was approved, but not sent within 3 days, so it needs approval again: every transfer.');
  expect(account.drops).toEqual([]);
  await cleo.sees('It was approved before, but not sent within 3 days.');
  await opensReview(cleo);
  await cleo.submits('Approve');
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
  expect(cleo.messages.filter(({ text }) => text.startsWith('Approved'))).toHaveLength(2);
});

test('if only the sender could approve, the review says so once, without a button', async () => {
  const setup = await setUpApproval(postgres, ({ cleo }) => ({ every: true, requests: true, approvers: [cleo.id] }));
  const { acme, anna, cleo, services } = setup;
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true });
  const text =
    'This needs approval (every transfer), and no one else can approve it. An admin can add approvers in /drop settings.';
  const expectNoButton = () => {
    expect(cleo.screen().split(text)).toHaveLength(2);
    expect(cleo.screen()).not.toMatch(/Request approval|Note to the approver/);
  };
  await stages(cleo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(cleo);
  await cleo.sees(new RegExp(`${text.replace(/[()]/g, '.')}[\\s\\S]*carl@example`));
  expectNoButton();
  await cleo.closes();
  await cleo.types('/drop request', { in: 'Dropline' });
  await cleo.picks('Request from', 'carl');
  await cleo.fills('Message', 'Please send it');
  await cleo.submits('Review');
  await cleo.sees(text);
  expectNoButton();
});

test("the sender's note is limited, and only the approver sees it, literally", async () => {
  const setup = await setUpApproval(postgres, ({ anna }) => ({ every: true, approvers: [anna.id] }));
  const { anna, bo, account } = setup;
  const text = `For the <!channel> deadline${'.'.repeat(290)}`;
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo);
  await bo.fills('Note to the approver', text);
  await expect(bo.submits('Request approval')).rejects.toThrow('Please enter at most 300 characters.');
  await bo.fills('Note to the approver', text.slice(0, 300));
  await requestsApproval(bo);
  await anna.opens('Dropline');
  await anna.sees('Approval needed');
  expect(anna.screen()).not.toContain('deadline');
  await opensReview(anna);
  await anna.sees(`Note from the sender: ${text.slice(0, 300)}`);
  await anna.submits('Approve');
  await anna.sees('Approved by @Anna');
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  expect(JSON.stringify(account.drops)).not.toContain('deadline');
});
