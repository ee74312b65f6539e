import { expect, test } from 'vitest';
import { prepareRequest } from '../../src/features/transfers/request/operations.ts';
import { prepareSend } from '../../src/features/transfers/send/operations.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { reviews, stages } from '../helpers/send-steps.ts';
import { asksForApproval, opensReview, setUpApproval } from './approval.ts';

const postgres = startTestPostgres();
const plan = { name: 'plan.pdf', data: 'the plan' };

test('the review modal says why a transfer was not sent', async () => {
  const { bo, account } = await setUpApp(postgres);
  account.uploads.push({ name: 'stranger.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  await stages(bo, [plan]);
  await reviews(bo);
  await bo.submits('Send 1 file to 1 person');
  await bo.sees('== Transfer ==');
  expect(bo.screen()).toContain('⚠️ Not sent');
  expect(bo.screen()).toContain('stranger.doc');
});

test("a closed review modal isn't reopened; the card shows the result", async () => {
  const { bo, exchange, slack, untilIdle, logged } = await setUpApp(postgres);
  await stages(bo, [plan]);
  await reviews(bo);
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await bo.submits('Send 1 file to 1 person');
  await slow.triggered;
  await bo.closes();
  await slow.release();
  await bo.sees('✅ Sent');
  await untilIdle();
  expect(slack.calls.filter(({ method, error }) => method === 'views.update' && error === 'not_found')).toHaveLength(1);
  expect(logged()).not.toContain('"level":"error"');
});

test('the inbox modal shows that a download failed', async () => {
  const { bo, addItem, exchange } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('1 file from carl@example.org');
  exchange.addFault({ operation: 'download', kind: 'reset-during' });
  await bo.types('/drop inbox');
  await bo.sees('newest first');
  await bo.clicks('Download plan.pdf');
  await bo.sees("⚠️ “plan.pdf” couldn't be downloaded. See our direct messages.");
});

test('a finished download never replaces a page that was opened later', async () => {
  const { bo, addItem, exchange, untilIdle, acme } = await setUpInboxApp(postgres);
  for (let number = 1; number <= 9; number += 1) await addItem(`sender${number}@example.org`, [`file ${number}.pdf`]);
  await bo.sees('1 file from sender9@example.org');
  const slow = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.types('/drop inbox');
  await bo.sees('newest first');
  await bo.clicks('Download file 9.pdf');
  await slow.triggered;
  await bo.sees("I'll send you “file 9.pdf”");
  await bo.clicks('Next page');
  await bo.sees('file 1.pdf');
  await slow.release();
  await expect.poll(() => acme.files.length).toBe(1);
  await untilIdle();
  expect(bo.screen()).toContain('file 1.pdf');
  expect(bo.screen()).not.toContain('is in our direct messages');
});

test('once a request is confirmed, the modal shows its progress; the Home tab lists it', async () => {
  const { bo, exchange, account, changeSettings } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true });
  await bo.opens('Home of Dropline');
  const asksCarl = async () => {
    await bo.clicks('Request files');
    await bo.picks('Request from', 'carl@example.org');
    await bo.fills('Message', 'Please');
    await bo.submits('Review');
    await bo.submits('Request from 1 person');
  };
  await asksCarl();
  await bo.sees('== Request ==');
  expect(bo.screen()).toContain('Requested files from 1 person: carl@example.org');
  expect(bo.screen()).toContain("If anything changes, I'll update you in our direct messages.");
  expect(account.uploadPages).toHaveLength(1);
  await bo.closes();
  await bo.sees('Requested from carl@example.org');
  const slow = exchange.addFault({ operation: 'givedrop', kind: 'delay' });
  await asksCarl();
  await slow.triggered;
  await bo.sees('== Requesting ==');
  await bo.closes();
  await bo.sees('carl@example.org: sending');
  await slow.release();
  await bo.sees('No active transfers.');
});

test('if two reviews of a form appear in a modal, only one of them can be confirmed', async () => {
  const { bo, acme, account, services, changeSettings, untilIdle } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true });
  const actor = { workspace: acme.id, person: bo.id };
  const entered = { recipients: ['carl@example.org'], groups: [], message: 'Again', expiresAfter: 1 };
  const [send, request] = ['Send 1 file to 1 person', 'Request from 1 person'];
  const confirmsTwice = async (label: string, secondReview: () => Promise<string>) => {
    const view = acme.views.find(({ body }) => String(body.callback_id).endsWith('.confirm'));
    expect.assert(view !== undefined);
    const shown = structuredClone(view.body);
    await bo.submits(label);
    await bo.sees("I'll update you in our direct messages.");
    await untilIdle();
    // As if the answer to a form that was submitted twice came only now.
    const metadata = String(shown.private_metadata).replace(/[0-9a-f-]{36}/, await secondReview());
    view.body = { ...shown, private_metadata: metadata };
    await bo.submits(label);
    await bo.sees(/⚠️ .*already confirmed/i);
    await bo.closes();
  };
  await stages(bo, [plan]);
  await reviews(bo);
  const files = acme.files.map(({ id }) => id);
  await confirmsTwice(send, async () => (await prepareSend(services, actor, { ...entered, files })).reviewId);
  await bo.types('/drop request');
  await bo.picks('Request from', 'dora@example.net');
  await bo.fills('Message', 'Please');
  await bo.submits('Review');
  await confirmsTwice(request, async () => (await prepareRequest(services, actor, entered)).reviewId);
  // The service lists the request among them.
  expect(account.drops).toHaveLength(2);
  expect(account.uploadPages).toHaveLength(1);
});

test("dialogs of approvals open although the database's answer comes too late", async () => {
  const { slack, services, bo, cleo } = await setUpApproval(postgres, (people) => ({
    every: true,
    approvers: [people.cleo.id],
  }));
  const { pool } = services.store;
  const { triggerMs } = slack.behaviour;
  const clicksSlowly = async (person: Person, label: string, title: string) => {
    const blocker = await pool.connect();
    await blocker.query('begin');
    await blocker.query('lock table dropline.transfers in access exclusive mode');
    await person.clicks(label);
    await person.sees('One moment…');
    slack.behaviour.triggerMs = 0;
    await blocker.query('rollback');
    blocker.release();
    await person.sees(`== ${title} ==`);
    await person.doesNotSee('One moment…');
    slack.behaviour.triggerMs = triggerMs;
  };
  await asksForApproval(bo);
  await opensReview(cleo);
  await clicksSlowly(cleo, 'Decline…', 'Decline');
  await cleo.fills('Reason', 'Not yet');
  await cleo.submits('Decline');
  await bo.sees('Not yet');
  await clicksSlowly(bo, 'Edit…', 'Send files');
});
