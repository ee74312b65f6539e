import { expect, test } from 'vitest';
import { approvalOf } from '../../src/features/settings/approval.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { policyWith, saveApproval } from '../features/approval.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { asksForApproval, opensReview, setUpApproval } from './approval.ts';

const postgres = startTestPostgres();

test('an approver reviews and approves a transfer, and every card shows the approval', async () => {
  const { bo, anna, cleo, account } = await setUpApproval(postgres, ({ anna, cleo }) => ({
    every: true,
    approvers: [anna.id, cleo.id],
  }));
  await asksForApproval(bo);
  await bo.sees('Approvers: @Anna, @Cleo');
  await anna.opens('Dropline');
  await anna.sees('Approval needed');
  await anna.sees('@Bo wants to send 1 file (8 bytes) to 1 person');
  expect(anna.screen()).not.toContain('carl@example.org');
  await opensReview(anna);
  for (const text of ['carl@example.org', '46700000001', 'New recipient', 'plan.pdf', 'As discussed'])
    await anna.sees(text);
  await anna.doesNotSee('Send later');
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
  const { bo, anna, cleo, account } = await setUpApproval(postgres, ({ cleo }) => ({
    every: true,
    approvers: [cleo.id],
  }));
  await asksForApproval(bo);
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
  expect(bo.screen()).not.toContain('Try again…');
  await bo.clicks('Edit…');
  await bo.sees('To: carl@example.org (Carl)');
  await bo.sees('As discussed');
  await bo.sees('plan.pdf');
  await bo.closes();
  expect(account.drops).toEqual([]);
  expect(anna.messages.filter(({ text }) => text.includes('Approval needed'))).toEqual([]);
});

test('an approval card in a channel shows only counts; only channel members can decide', async () => {
  const setup = await setUpApp(postgres);
  const { acme, anna, bo, gus, services, account } = setup;
  const cleo = acme.addPerson({ name: 'Cleo' });
  const dan = acme.addPerson({ name: 'Dan' });
  const channel = acme.addChannel({ name: 'approvals', kind: 'private', members: [bo, cleo, gus, 'app'] });
  const policy = policyWith({ every: true, approvers: [channel.id] });
  await saveApproval(services, { workspace: acme.id, person: anna.id }, policy);
  await asksForApproval(bo);
  await bo.sees('Approvers: members of #approvals');
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

test('an admin turns approval on, and turning a rule off needs confirmation', async () => {
  const { anna, bo, gus, acme, services } = await setUpApp(postgres);
  acme.addChannel({ name: 'with-others', kind: 'private', members: [anna, 'app'], invited: true });
  const channel = acme.addChannel({ name: 'approvals', kind: 'private', members: [anna, 'app'] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.sees('No transfer needs approval.');
  await anna.clicks('Change approval rules');
  await anna.clicks('For new recipients');
  await anna.submits('Save');
  await anna.sees('Choose who can approve first, under “Change approvers”: people, or a private channel.');
  await anna.clicks('Cancel');
  await anna.clicks('Change approvers');
  await anna.picks('Approvers: members of private channels', 'with-others');
  await anna.submits('Save');
  await anna.sees('#with-others is shared with another organisation. Choose another channel.');
  await anna.unpicks('Approvers: members of private channels', 'with-others');
  await anna.picks('Approvers: members of private channels', 'approvals');
  channel.setKind('public');
  await anna.submits('Save');
  await anna.sees('#approvals is public, so anyone could join it. Choose a private channel.');
  await anna.reloads();
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change approvers');
  await anna.picks('Approvers', gus.name);
  await anna.submits('Save');
  await anna.sees('Remove them from this list');
  await anna.unpicks('Approvers', gus.name);
  await anna.picks('Approvers', bo.name);
  await anna.fills('Days to wait for a decision', '31');
  await anna.submits('Save');
  await anna.sees('Enter a number from 1 to 30.');
  await anna.fills('Days to wait for a decision', '5');
  await anna.submits('Save');
  await anna.clicks('Change approval rules');
  await anna.clicks('For new recipients');
  await anna.fills('File types that need approval', '.DOCX, zip');
  await anna.fills('Total size without approval (MB)', '25');
  await anna.fills('Maximum recipients without approval', '10');
  await anna.submits('Save');
  await anna.sees(
    '@Bo can approve transfers, for 5 days. Approval is needed for new recipients, more than 10 recipients, more than 25 MB and docx and zip files.',
  );
  expect(approvalOf(await readSettings(services, { workspace: acme.id }))).toMatchObject({
    newRecipients: true,
    recipients: 10,
    bytes: 25_000_000,
    fileTypes: ['docx', 'zip'],
    approvers: [bo.id],
    waitDays: 5,
  });
  await anna.clicks('Change approval rules');
  await anna.clicks('For new recipients');
  await anna.submits('Save');
  await anna.sees('== Turn off 1 rule? ==');
  await anna.sees('Approval for new recipients');
  await anna.submits('Turn off');
  await anna.sees('Approval is needed for more than 10 recipients, more than 25 MB and docx and zip files.');
});
