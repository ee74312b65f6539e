import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { policyWith, saveApproval } from '../features/approval.ts';
import { setUpApp } from '../helpers/app.ts';
import { killHard, startBotFor } from '../helpers/bot-process.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { reviews, stages } from '../helpers/send-steps.ts';
import { fetchLink, setUpLinks } from './download-link.ts';
import { pauses, reason, resumes } from './pause.ts';
import { queueBehindAnna, sendFile } from './send.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test('a transfer paused during an upload is sent once after kill -9 and a resume', async () => {
  const app = await setUpApp(postgres, { hasExternalBot: true });
  const { anna, bo, account, exchange, slack } = app;
  slack.behaviour.timeoutMs = 60_000;
  const first = await startBotFor(programs, app);
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await sendFile(bo, 'plan.pdf', 'carl');
  await slow.triggered;
  await pauses(anna, 'sending');
  await killHard(first);
  await startBotFor(programs, app);
  await bo.sees(`Paused by an admin: ${reason}`);
  await slow.release();
  expect(account.drops).toEqual([]);
  await resumes(anna, 'sending');
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
  expect(account.uploads).toEqual([]);
}, 180_000);

test('if Slack delivers clicks and forms twice, sending is paused and resumed once', async () => {
  const app = await setUpApp(postgres);
  const { anna, bo, account, slack, services, acme, untilIdle } = app;
  const slow = await queueBehindAnna(app);
  slack.addFault({ delivery: 'view_submission', kind: 'duplicate' });
  await pauses(anna, 'sending');
  await bo.sees(`Paused by an admin: ${reason}`);
  await slow.release();
  slack.addFault({ delivery: 'block_actions', kind: 'duplicate' });
  await resumes(anna, 'sending');
  await bo.sees('✅ Sent');
  await untilIdle();
  expect(account.drops).toHaveLength(2);
  const entries = await services.store.audit.list(acme.id);
  const outcomes = entries
    .map(({ action, outcome }) => `${action} ${outcome}`)
    .filter((text) => /^(pause|resume) /.test(text));
  expect(outcomes.sort()).toEqual(['pause done', 'resume done']);
});

test('a second admin learns that sending is already paused, and members are refused', async () => {
  const { acme, anna, bo, services } = await setUpApp(postgres);
  const olga = acme.addPerson({ name: 'Olga', role: 'owner' });
  await olga.types('/drop settings', { in: '#general' }).catch(() => {});
  await olga.opens('Dropline');
  await olga.types('/drop settings');
  await olga.clicks('Pause or resume');
  await olga.clicks('Pause sending…');
  await olga.fills('Reason', 'Another reason');
  await pauses(anna, 'sending');
  await olga.submits('Pause');
  await olga.sees('Sending: already paused. To change the reason, resume first.');
  await bo.types('/drop settings', { in: '#general' });
  await bo.sees('Only admins can do this.');
  const entries = await services.store.audit.list(acme.id, { action: 'pause' });
  expect(entries.map(({ outcome }) => outcome).sort()).toEqual(['done', 'exists']);
});

test('a paused transfer can be cancelled', async () => {
  const app = await setUpApp(postgres);
  const { anna, bo, account, untilIdle } = app;
  const slow = await queueBehindAnna(app);
  await pauses(anna, 'sending');
  await bo.sees(`Paused by an admin: ${reason}`);
  await slow.release();
  await untilIdle();
  await bo.clicks('Cancel sending second.txt');
  await bo.confirms('Cancel transfer');
  await bo.sees('Nothing was sent.');
  await resumes(anna, 'sending');
  await untilIdle();
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['first.txt']]);
});

test('disconnecting cancels paused transfers and deletes the pauses', async () => {
  const app = await setUpApp(postgres);
  const { anna, bo, account, services, acme, untilIdle } = app;
  const slow = await queueBehindAnna(app);
  await pauses(anna, 'sending');
  await bo.sees(`Paused by an admin: ${reason}`);
  await slow.release();
  await untilIdle();
  await anna.reloads();
  await anna.types('/drop disconnect', { in: '#general' });
  await anna.clicks('Disconnect…');
  await anna.confirms('Disconnect');
  await bo.sees('The workspace was disconnected. Nothing was sent.');
  await untilIdle();
  const { rows } = await services.store.pool.query('select from dropline.pauses where workspace = $1', [acme.id]);
  expect(rows).toEqual([]);
  expect(account.drops).toEqual([]);
});

test('uninstalling the app deletes all pauses', async () => {
  const { acme, anna, services, untilIdle } = await setUpApp(postgres);
  await pauses(anna, 'downloads');
  acme.uninstall();
  await untilIdle();
  const { rows } = await services.store.pool.query('select from dropline.pauses where workspace = $1', [acme.id]);
  expect(rows).toEqual([]);
});

test('a pause ends a queued download with a reason and lets a running download finish', async () => {
  const { anna, bo, addItem, slack, exchange } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  const delayedMessage = slack.addFault({ method: 'chat.postMessage', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await delayedMessage.triggered;
  await pauses(anna, 'downloads');
  delayedMessage.release();
  await bo.opens('Dropline');
  await bo.sees(`“plan.pdf” from carl@example.org couldn't be downloaded. Downloads are paused by an admin: ${reason}`);
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
  await resumes(anna, 'downloads');
  const slow = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.clicks('Download plan.pdf again');
  await slow.triggered;
  await pauses(anna, 'downloads');
  await slow.release();
  expect(String(await (await bo.downloads('plan.pdf')).read())).toBe('bytes of plan.pdf');
});

test('a running download by link finishes during a pause', async () => {
  const { anna, addItem, linkTo, exchange } = await setUpLinks(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  const link = await linkTo('plan.pdf');
  const slow = exchange.addFault({ operation: 'download', kind: 'delay' });
  const downloading = fetchLink(link, 'POST');
  await slow.triggered;
  await pauses(anna, 'downloads');
  await slow.release();
  expect(String((await downloading).body)).toBe('bytes of plan.pdf');
});

test("an admin's open Home tab updates by itself when the admin pauses or resumes", async () => {
  const { anna } = await setUpApp(postgres);
  const notice = `⚠️ Downloads are paused by an admin: ${reason}`;
  await pauses(anna, 'downloads');
  await anna.closes();
  await anna.opens('Home of Dropline');
  await anna.sees(notice);
  await anna.clicks('Pause or resume');
  await resumes(anna, 'downloads');
  await anna.closes();
  // Home updates without being opened again and without a click on Refresh.
  await anna.doesNotSee(notice);
  await anna.clicks('Settings');
  await anna.clicks('Pause or resume');
  await anna.clicks('Pause downloads…');
  await anna.fills('Reason', reason);
  await anna.submits('Pause');
  await anna.sees('Paused by @Anna');
  await anna.closes();
  await anna.sees(notice);
});

test('if a transfer is approved during a pause, it is sent when sending resumes', async () => {
  const { acme, anna, bo, services, account, untilIdle } = await setUpApp(postgres);
  const policy = policyWith({ every: true, approvers: [anna.id] });
  await saveApproval(services, { workspace: acme.id, person: anna.id }, policy);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo);
  await bo.submits('Request approval');
  await bo.sees("Waiting for approval. I'll update you");
  await bo.closes();
  await pauses(anna, 'sending');
  await anna.reloads();
  await anna.opens('Dropline');
  await anna.clicks('Review');
  await anna.submits('Approve');
  await anna.sees('Approved by @Anna');
  await anna.closes();
  await bo.opens('Dropline');
  await bo.sees(`Paused by an admin: ${reason}`);
  await bo.sees('Approved by @Anna');
  await untilIdle();
  expect(account.drops).toEqual([]);
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Pause or resume');
  await resumes(anna, 'sending');
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
});

test('an admin can resume sending in the review and then send; the Home tab updates', async () => {
  const { anna, account, acme, services } = await setUpApp(postgres);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true });
  await pauses(anna, 'sending');
  await pauses(anna, 'file requests');
  await anna.closes();
  await anna.opens('Home of Dropline');
  await anna.sees(`⚠️ Sending is paused by an admin: ${reason}`);
  await stages(anna, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(anna);
  await anna.doesNotSee('[Send 1 file');
  await anna.clicks('Resume…');
  await anna.confirms('Resume');
  await anna.sees('✅ Sending: resumed.');
  await anna.submits('Send 1 file to 1 person');
  await anna.sees("I'll update you");
  await anna.closes();
  await anna.opens('Home of Dropline');
  await anna.doesNotSee('Sending is paused');
  await anna.types('/drop request', { in: 'Dropline' });
  await anna.picks('Request from', 'carl');
  await anna.fills('Message', 'Please send it');
  await anna.submits('Review');
  await anna.clicks('Resume…');
  await anna.confirms('Resume');
  await anna.submits('Request from 1 person');
  await expect.poll(() => account.uploadPages.length).toBe(1);
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['plan.pdf'], []]);
});

test('an admin can pause file requests without pausing sending', async () => {
  const { acme, anna, bo, services, account } = await setUpApp(postgres);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true });
  await pauses(anna, 'file requests');
  await bo.types('/drop request', { in: 'Dropline' });
  await bo.sees(`⚠️ File requests are paused by an admin: ${reason}`);
  await bo.picks('Request from', 'carl');
  await bo.fills('Message', 'Please send it');
  await bo.submits('Review');
  await bo.sees('can upload files for you');
  expect(bo.screen()).not.toContain('[Request from');
  await bo.closes();
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo);
  await bo.submits('Send 1 file to 1 person');
  await bo.sees('✅ Sent');
  expect(account).toMatchObject({ uploadPages: [], drops: [{}] });
});
