import { expect, test } from 'vitest';
import { defaultSettings } from '../../src/features/settings/repository.ts';
import { currentExpiresAfter } from '../../src/features/transfers/checks.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { reviews, stages } from '../helpers/send-steps.ts';
import { rewriteContent } from '../helpers/transfers.ts';
import { dateIn } from './expiry.ts';
import { approves, requestsApproval, requestsApprovalWithDate, setApproval } from './waiting-approval.ts';

const postgres = startTestPostgres();

test('after a wait for approval, a transfer expires on the date that its sender chose', async () => {
  const app = await setUpApp(postgres);
  const { anna, bo, account, services } = app;
  const id = await requestsApprovalWithDate(app, dateIn(10));
  // Simulate a wait of three days: the chosen date is now seven days away.
  await rewriteContent(services.store, id, { expiryDate: dateIn(7) });
  await approves(anna);
  await bo.opens('Dropline');
  await bo.sees(/✅ Sent[\s\S]*Expires (?!after)/);
  expect(account.drops).toMatchObject([{ ttl: 7 }]);
  expect(await transfersIn(services.store).read(id)).toMatchObject({ expiresAfter: 7 });
});

test("if an expiry date has passed or doesn't fit the unit, the error says why", () => {
  const now = Date.parse('2026-11-18T19:00:00Z');
  const at = (unit: 'days' | 'hours' | 'own', expiryDate?: string) =>
    currentExpiresAfter({ ...defaultSettings, expiryUnit: unit }, { expiresAfter: 5, expiryDate }, 'UTC', now);
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
