import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { allOf, transfersIn } from '../../src/features/transfers/repository.ts';
import { policyWith, saveApproval } from '../features/approval.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { killHard, startBotFor } from '../helpers/bot-process.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';
import { rewriteContent } from '../helpers/transfers.ts';
import { sendWithUnknownOutcome } from './admin-gone.ts';
import { pauses, reason } from './pause.ts';
import { openCard } from './request.ts';
import { sendFile } from './send.ts';
import { sendUnconfirmed } from './send-unconfirmed.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

async function setUpSent(): Promise<
  AppSetup & { set(changes: Parameters<typeof changeSettings>[2]): Promise<unknown> }
> {
  const setup = await setUpApp(postgres);
  const { bo, anna, acme, services } = setup;
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo, { to: 'board' });
  await bo.submits('Send 1 file to 2 people');
  await bo.sees("I'll update you in our direct messages.");
  await bo.closes();
  await bo.sees('✅ Sent');
  return {
    ...setup,
    set: (changes) => changeSettings(services, { workspace: acme.id, person: anna.id }, changes),
  };
}

test('if Slack delivers clicks and forms twice, a repeated transfer is sent once', async () => {
  const setup = await setUpSent();
  const { bo, slack, account, untilIdle } = setup;
  slack.addFault({ delivery: 'block_actions', kind: 'duplicate' });
  await bo.clicks('Send again');
  await bo.sees("can't be recalled");
  slack.addFault({ delivery: 'view_submission', kind: 'duplicate' });
  await bo.submits('Send 1 file to 2 people');
  await expect.poll(() => account.drops.length).toBe(2);
  await untilIdle();
  expect(account.drops).toHaveLength(2);
});

test('a repeated transfer is finished by another process after kill -9', async () => {
  const setup = await setUpApp(postgres, { hasExternalBot: true });
  const { bo, account, exchange, slack } = setup;
  slack.behaviour.timeoutMs = 60_000;
  const first = await startBotFor(programs, setup);
  await sendFile(bo, 'plan.pdf', 'carl');
  await bo.sees('✅ Sent');
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await bo.clicks('Send again');
  await confirms(bo, 1);
  await slow.triggered;
  await killHard(first);
  await startBotFor(programs, setup);
  await expect.poll(() => account.drops.length, { timeout: 60_000 }).toBe(2);
  await slow.release();
  await expect.poll(() => bo.messages.filter(({ text }) => text.includes('✅ Sent')).length).toBe(2);
  expect(account.drops).toHaveLength(2);
}, 300_000);

test('a repeated transfer follows the current rules', async () => {
  const { bo, anna, acme, services, set, account } = await setUpSent();
  await set({ recipientDomains: ['example.net'], expiryDefault: 1, expiryLongest: 2 });
  await bo.clicks('Send again');
  await bo.sees('Not allowed in this workspace: carl@example.org.');
  await bo.sees('The expiry was shortened to the maximum in this workspace.');
  await bo.sees('Expires after 2');
  await bo.closes();
  await set({ recipientDomains: ['example.com'] });
  await bo.clicks('Send again');
  await bo.sees('No recipients left. Not allowed in this workspace: carl@example.org, dora@example.net.');
  await bo.closes();
  await set({ recipientDomains: [], fileTypes: 'block', extensions: ['pdf'] });
  await bo.clicks('Send again');
  await bo.sees('plan.pdf');
  await bo.doesNotSee('Send 1 file to');
  await bo.closes();
  await set({ fileTypes: 'any', extensions: [] });
  await saveApproval(
    services,
    { workspace: acme.id, person: anna.id },
    policyWith({ every: true, approvers: [anna.id] }),
  );
  await bo.clicks('Send again');
  await bo.sees('Needs approval: every transfer');
  await bo.submits('Request approval');
  await bo.sees('Waiting for approval');
  expect(account.drops).toHaveLength(1);
});

test('a repeated transfer keeps its expiry date, unless that has passed', async () => {
  const { bo, anna, acme, services, account } = await setUpApp(postgres);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { expiryUnit: 'days', expiryDefault: 3 });
  const dateIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.fills('Expires after (days)', dateIn(10));
  await bo.submits('Review');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  const [{ id } = { id: '' }] = await allOf(transfersIn(services.store).ended({ workspace: acme.id }));
  const setDate = (expiryDate: string) => rewriteContent(services.store, id, { expiryDate });
  await setDate(dateIn(-2));
  await bo.clicks('Send again');
  await bo.sees(`The expiry date ${dateIn(-2)} can't be used any longer. The default expiry is used.`);
  await bo.closes();
  const later = dateIn(20);
  await setDate(later);
  await bo.clicks('Send again');
  await bo.sees("can't be recalled");
  await bo.doesNotSee("can't be used any longer");
  await confirms(bo, 1);
  await expect.poll(() => account.drops.length).toBe(2);
  expect([19, 20]).toContain(account.drops[1]?.ttl);
});

test('a transfer is not sent again while sending is paused', async () => {
  const { bo, anna, account, untilIdle } = await setUpSent();
  await bo.clicks('Send again');
  await bo.sees("can't be recalled");
  await pauses(anna, 'sending');
  await bo.submits('Send 1 file to 2 people');
  await bo.sees(reason);
  await bo.closes();
  await bo.clicks('Send again');
  await bo.sees(reason);
  await bo.doesNotSee('[Send 1 file to 2 people]');
  await untilIdle();
  expect(account.drops).toHaveLength(1);
});

test('a transfer whose files were all deleted from Slack is not sent again', async () => {
  const { bo } = await setUpSent();
  await bo.deletesFile('plan.pdf');
  await bo.clicks('Send again');
  await bo.sees('Nothing to send. No longer in Slack: plan.pdf.');
});

test('sending a transfer again keeps the draft', async () => {
  const { bo, account } = await setUpSent();
  await stages(bo, [{ name: 'map.png', data: 'the map' }]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'emil');
  await bo.closes();
  await bo.clicks('Send again');
  await bo.submits('Send 1 file to 2 people');
  await expect.poll(() => account.drops.length).toBe(2);
  await bo.closes();
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.sees('To: emil@example.com (Emil)');
  await bo.sees('map.png (7 bytes)');
});

test('after the history checks end, repeating a transfer still warns of a duplicate', async () => {
  const { bo, services } = await sendUnconfirmed(postgres);
  const { rows } = await services.store.pool.query<{ id: string }>('select id from dropline.transfers');
  await transfersIn(services.store).revise(rows[0]?.id ?? '', async () => ({ progress: { watchedUntil: undefined } }));
  await bo.clicks('Try again…');
  await bo.sees('It was probably not sent. If you send it again now, the recipients could get it twice.');
});

test('repeating an unconfirmed transfer warns, and works once an admin resumes sending', async () => {
  const timing = { lateCheckPausesMs: [] };
  const app = await setUpApp(postgres, { timing, exchange: { behaviour: { historyLag: 50 } } });
  const { bo, anna, exchange, account } = app;
  await sendWithUnknownOutcome(app);
  await bo.sees('Delivery unconfirmed');
  exchange.behaviour.historyLag = 0;
  await bo.clicks('Send again');
  await bo.sees('Delivery is unconfirmed. If you send it again now, the recipients could get it twice.');
  await bo.submits('Send 1 file to 1 person');
  await bo.sees('on hold');
  await bo.closes();
  await anna.types('/drop status', { in: 'Dropline' });
  await anna.clicks('Resume sending…');
  await anna.confirms('Resume');
  await anna.sees('Sending resumed.');
  await bo.clicks('Send again');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(2);
});

test('asking again repeats a request without the contacts that were removed', async () => {
  const { bo, anna, acme, services, account } = await setUpApp(postgres);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true });
  await bo.types('/drop request', { in: 'Dropline' });
  await bo.picks('Request from', 'board');
  await bo.fills('Expires after (unit unknown)', '3');
  await bo.fills('Message', 'Please send the plans.');
  await bo.submits('Review');
  await bo.submits('Request from 2 people');
  await openCard(bo);
  await bo.sees('Requested files from 2 people');
  account.contacts.local = account.contacts.local.filter(({ email }) => email !== 'dora@example.net');
  await bo.clicks('Ask again');
  await bo.sees('No longer in your contacts: dora@example.net.');
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await bo.sees('Requested files from 1 person: carl@example.org');
  expect(account.uploadPages.map(({ contact, message, ttl }) => [contact.email, message, ttl])).toEqual([
    ['carl@example.org', 'Please send the plans.', 3],
    ['dora@example.net', 'Please send the plans.', 3],
    ['carl@example.org', 'Please send the plans.', 3],
  ]);
});
