import { expect, test } from 'vitest';
import { saveApproval } from '../../src/features/settings/approval/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { defaultSettings } from '../../src/features/settings/repository.ts';
import { currentTimeToLive } from '../../src/features/transfers/checks.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { type Policy, policyWith } from '../features/approval.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { reviews, stages } from '../helpers/send-steps.ts';
import { dateIn } from './expiry.ts';
import { sendUnconfirmed } from './send-unconfirmed.ts';

const postgres = startTestPostgres();

const setApproval = ({ acme, anna, services }: AppSetup, policy: Policy) =>
  saveApproval(services, { workspace: acme.id, person: anna.id }, policyWith(policy));

async function requestsApproval(person: Person): Promise<void> {
  await person.submits('Request approval');
  await person.sees("Waiting for approval. I'll update you in our direct messages.");
  await person.closes();
}

async function approves(person: Person): Promise<void> {
  await person.opens('Dropline');
  await person.clicks('Review');
  await person.submits('Approve');
  await person.sees(`Approved by @${person.name}`);
  await person.closes();
}

/** Bo sends a file that expires on a date, and waits for Anna's approval. Returns the id of the transfer. */
async function requestsApprovalWithDate(app: AppSetup, date: string): Promise<string> {
  const { acme, anna, bo, services } = app;
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { ttl: { unit: 'days', usual: 3 } });
  await setApproval(app, { every: true, approvers: [anna.id] });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.fills('Expires after (days)', date);
  await bo.submits('Review');
  await bo.sees(/Total 8 bytes · Expires (?!after)/);
  await requestsApproval(bo);
  const [transfer] = await transfersIn(services.store).listActive({ workspace: acme.id });
  expect(transfer?.details).toMatchObject({ expiryDate: date });
  return transfer?.id ?? '';
}

test('after a wait for approval, a transfer expires on the date that its sender chose', async () => {
  const app = await setUpApp(postgres);
  const { anna, bo, account, services } = app;
  const id = await requestsApprovalWithDate(app, dateIn(10));
  // Simulate a wait of three days: the chosen date is now seven days away.
  await transfersIn(services.store).change(id, async () => ({ details: { expiryDate: dateIn(7) } }));
  await approves(anna);
  await bo.opens('Dropline');
  await bo.sees(/✅ Sent[\s\S]*Expires (?!after)/);
  expect(account.drops).toMatchObject([{ ttl: 7 }]);
  expect((await transfersIn(services.store).read(id))?.details).toMatchObject({ timeToLive: 7 });
});

test('if the expiry date of a transfer has passed, it is not sent and can be edited', async () => {
  const app = await setUpApp(postgres);
  const { anna, bo, account, services } = app;
  const id = await requestsApprovalWithDate(app, dateIn(10));
  await transfersIn(services.store).change(id, async () => ({ details: { expiryDate: dateIn(-1) } }));
  await approves(anna);
  await bo.opens('Dropline');
  await bo.sees(`The expiry date ${dateIn(-1)} has passed. Nothing was sent.`);
  expect(account).toMatchObject({ drops: [], uploads: [] });
  await bo.clicks('Edit…');
  await bo.sees(`Expires after (days): ${dateIn(-1)}`);
  await bo.submits('Review');
  await bo.sees(`${dateIn(-1)} is too early or isn't a date. Choose a later date.`);
});

test("if an expiry date has passed or doesn't fit the unit, the error says why", () => {
  const now = Date.parse('2026-11-18T19:00:00Z');
  const at = (unit: 'days' | 'hours' | 'own', expiryDate?: string) =>
    currentTimeToLive({ ...defaultSettings, ttl: { unit, usual: 7 } }, { timeToLive: 5, expiryDate }, 'UTC', now);
  expect(at('days')).toBe(5);
  expect(at('days', '2026-11-20')).toBe(2);
  expect(at('hours', '2026-11-18')).toBe(4);
  expect(() => at('days', '2026-11-18')).toThrow('closer than the shortest expiry');
  expect(() => at('hours', '2026-11-17')).toThrow('The expiry date 2026-11-17 has passed. Nothing was sent.');
  expect(() => at('own', '2026-11-20')).toThrow("the workspace's expiry unit was changed to unknown");
});

test('a new approver gets a card, and a removed approver is notified', async () => {
  const app = await setUpApp(postgres);
  const { acme, bo, anna, account } = app;
  const cleo = acme.addPerson({ name: 'Cleo' });
  await setApproval(app, { every: true, approvers: [cleo.id] });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo);
  await requestsApproval(bo);
  await cleo.opens('Dropline');
  await cleo.sees('[Review]');
  await setApproval(app, { every: true, approvers: [anna.id] });
  await cleo.sees('An admin changed the approvers, so you can no longer decide on this.');
  await cleo.doesNotSee('[Review]');
  await anna.opens('Dropline');
  await anna.sees('[Review]');
  await setApproval(app, { every: true, approvers: [anna.id, cleo.id] });
  await cleo.sees('[Review]');
  await approves(cleo);
  await anna.sees('Approved by @Cleo');
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
  for (const person of [anna, cleo])
    expect(person.messages.filter(({ text }) => text.includes('wants to send'))).toHaveLength(1);
});

test("the approver's review has the duplicate warning that the sender saw", async () => {
  const app = await sendUnconfirmed(postgres);
  const { anna, bo } = app;
  await setApproval(app, { every: true, approvers: [anna.id] });
  await bo.clicks('Try again…');
  await bo.sees('Possible duplicate. You tried to send this ');
  await requestsApproval(bo);
  await anna.opens('Dropline');
  await anna.clicks('Review');
  await anna.sees('Possible duplicate. The sender tried to send this ');
  await anna.sees('If you approve this, the recipients could get it twice.');
});

test('the policies form shows the errors of all fields together', async () => {
  const { anna } = await setUpApp(postgres);
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change policies');
  await anna.clicks('Change file rules and scanning');
  await anna.picks('File types', 'All except these');
  await anna.fills('Extensions', 'bad/one');
  await anna.fills('Largest file (MB)', '0.5');
  await anna.fills('Largest transfer (MB)', 'x');
  await anna.submits('Save');
  await anna.sees("“bad/one” isn't a valid file extension, like pdf.");
  expect(anna.screen().match(/Enter a whole number of 1 or more\./g)).toHaveLength(2);
});
