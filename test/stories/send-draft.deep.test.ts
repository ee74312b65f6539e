import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readDraft } from '../../src/features/staging/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();
const draftSaved = 'Your draft is saved:';
const attachAgain = 'If you attached files, attach them again.';

test('the send form says that closing saves a draft; keeping it open sends no message', async () => {
  const { bo, untilIdle } = await setUpApp(postgres);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.sees('Your draft is saved if you leave, except for attached files.');
  await bo.fills('Message', 'Here you are');
  await bo.clicks('Cancel');
  await bo.sees('Are you sure you want to leave?');
  await bo.declines('Stay');
  await bo.sees('Message (optional): Here you are');
  await untilIdle();
  expect(bo.messages.filter(({ text }) => text.includes(draftSaved))).toEqual([]);
  await bo.clicks('Cancel');
  await bo.confirms('Leave');
  await bo.sees(`Nothing was sent. Your draft is saved: message. ${attachAgain}`);
});

test('closing an untouched send form sends no message', async () => {
  const { bo, untilIdle } = await setUpApp(postgres);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.sees('Review');
  await bo.closes();
  await untilIdle();
  await bo.opens('Dropline');
  expect(bo.screen()).not.toContain(draftSaved);
});

test('closing an untouched send form keeps an earlier draft and sends no message', async () => {
  const { bo, untilIdle } = await setUpApp(postgres);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'board');
  await bo.fills('Message', 'Here you are');
  await bo.fills('Expires after (unit unknown)', '3');
  await bo.closes();
  await bo.sees('Your draft is saved: recipients, message and expiry.');
  await bo.clicks('Continue');
  await bo.sees('Here you are');
  await bo.closes();
  await untilIdle();
  expect(bo.messages.filter(({ text }) => text.includes(draftSaved))).toHaveLength(1);
  await bo.clicks('Continue');
  await bo.sees('Here you are');
  expect(bo.screen()).toContain('To: board');
  expect(bo.screen()).toContain('(unit unknown): 3');
});

test('input in the send form, which is saved as a draft, causes no calls to Slack', async () => {
  const { acme, anna, bo, slack, untilIdle } = await setUpApp(postgres);
  await anna.opens('Dropline');
  await anna.sees('The inbox is empty.');
  await bo.types('/drop receivers', { in: 'Dropline' });
  await bo.picks('Recipients of your next transfer', 'dora');
  await bo.closes();
  await bo.types('/drop send');
  await bo.sees('To: ‹');
  await untilIdle();
  const reported = () => slack.deliveries.filter(({ kind }) => kind === 'block_actions').length;
  const reportedBefore = reported();
  const workspaceCalls = () => slack.calls.filter(({ team }) => team === acme.id);
  const calls = workspaceCalls().length;
  await bo.picks('To', 'carl');
  await bo.fills('Message', 'One');
  await bo.fills('Message', 'One and two');
  await untilIdle();
  expect(reported() - reportedBefore).toBe(3);
  expect(
    workspaceCalls()
      .slice(calls)
      .map(({ method, arguments: args }) => ({ method, args })),
  ).toEqual([]);
});

test("input that arrives late doesn't overwrite newer input of a draft", async () => {
  const { bo, slack, untilIdle } = await setUpApp(postgres);
  await bo.types('/drop send', { in: 'Dropline' });
  const delay = slack.addFault({ delivery: 'block_actions', kind: 'delay' });
  const late = bo.fills('Message', 'Here');
  await delay.triggered;
  await bo.fills('Message', 'Here you are');
  delay.release();
  await late;
  await untilIdle();
  await bo.closes();
  await bo.sees('Your draft is saved: message.');
  await bo.clicks('Continue');
  await bo.sees('Here you are');
});

test('an unreviewed attached file is lost, and the message about the draft says so', async () => {
  const { bo, untilIdle } = await setUpApp(postgres);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.attaches('Files', [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.closes();
  await untilIdle();
  expect(bo.screen()).not.toContain(draftSaved);
  await bo.types('/drop send');
  await bo.picks('To', 'carl');
  await bo.attaches('Files', [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.closes();
  await bo.sees(`Your draft is saved: recipients. ${attachAgain}`);
  await bo.clicks('Continue');
  await bo.sees('carl@example.org');
  expect(bo.screen()).not.toContain('plan.pdf');
});

test('files of a message stay staged as long as they are selected', async () => {
  const { bo, acme, services, untilIdle } = await setUpApp(postgres);
  const countStaged = async () => (await readDraft(services, { workspace: acme.id, person: bo.id })).staged.length;
  await bo.types('/invite @dropline', { in: '#general' });
  await bo.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: '#general', text: 'please look' });
  await bo.usesShortcut('Send securely', { on: 'please look' });
  await bo.picks('To', 'carl');
  await untilIdle();
  expect(await countStaged()).toBe(1);
  await bo.unpicks('Choose from your files ready to send', 'plan.pdf');
  await untilIdle();
  expect(await countStaged()).toBe(0);
  await bo.picks('Choose from your files ready to send', 'plan.pdf');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees('Your draft is saved: recipients and files of the message.');
  expect(await countStaged()).toBe(1);
});

test('retrying an earlier transfer keeps a newer draft', async () => {
  const { bo, account } = await setUpApp(postgres);
  account.uploads.push({ name: 'stranger.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo);
  await confirms(bo, 1);
  await bo.sees('⚠️ Not sent');
  account.uploads = [];
  await bo.types('/drop send');
  await bo.picks('To', 'dora');
  await bo.fills('Message', 'Something else');
  await bo.closes();
  await bo.sees(draftSaved);
  await bo.clicks('Try again…');
  await bo.sees("can't be recalled");
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops).toMatchObject([{ receivers: [{ email: 'carl@example.org' }] }]);
  await bo.types('/drop send');
  await bo.sees('Something else');
  await bo.sees('dora@example.net');
});

test("late input of a form that was already sent doesn't create a draft", async () => {
  const { bo, slack, untilIdle, account } = await setUpApp(postgres);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  const delay = slack.addFault({ delivery: 'block_actions', kind: 'delay' });
  const late = bo.fills('Message', 'Half a thought');
  await delay.triggered;
  await bo.submits('Review');
  await bo.sees("can't be recalled");
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops).toMatchObject([{ message: 'Half a thought' }]);
  delay.release();
  await late;
  await untilIdle();
  await bo.types('/drop send');
  await bo.sees('Review');
  expect(bo.screen()).not.toContain('carl@example.org');
  expect(bo.screen().split('== Send files ==')[1]).not.toContain('Half a thought');
});

const ready = 'Choose from your files ready to send';
const wrong = { name: 'wrong.pdf', data: 'not this one' };

test('a file attached in one form is unstaged when it is removed in a later one', async () => {
  const { bo, acme, services } = await setUpApp(postgres);
  await reviews(bo, { attached: [{ name: 'plan.pdf', data: 'the plan' }, wrong] });
  await bo.closes();
  await bo.opens('Dropline');
  await bo.clicks('Continue');
  await bo.unpicks(ready, 'wrong.pdf');
  await bo.submits('Review');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect((await readDraft(services, { workspace: acme.id, person: bo.id })).staged).toEqual([]);
});

test("removing an attached file from a message's form unstages it and nothing else", async () => {
  const { bo, acme, services } = await setUpApp(postgres);
  await stages(bo, [{ name: 'later.pdf', data: 'for later' }]);
  await bo.types('/invite @dropline', { in: '#general' });
  await bo.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: '#general', text: 'please look' });
  await bo.usesShortcut('Send securely', { on: 'please look' });
  await bo.picks('To', 'carl');
  await bo.attaches('More files', [wrong]);
  await bo.submits('Review');
  await bo.clicks('Back');
  await bo.unpicks(ready, 'wrong.pdf');
  await bo.submits('Review');
  await confirms(bo, 1);
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  const { staged, unticked } = await readDraft(services, { workspace: acme.id, person: bo.id });
  const later = acme.files.find(({ name }) => name === 'later.pdf')?.id;
  expect({ staged, unticked }).toEqual({ staged: [later], unticked: [] });
});

test('an attached file that is removed after an error does not return', async () => {
  const { anna, bo, acme, services } = await setUpApp(postgres);
  const rules = { fileTypes: 'allow' as const, extensions: ['pdf'] };
  await changeSettings(services, { workspace: acme.id, person: anna.id }, rules);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.attaches('Files', [
    { name: 'plan.pdf', data: '%PDF-1.7' },
    { name: 'setup.exe', data: 'MZ' },
  ]);
  await bo.submits('Review');
  await bo.sees("“setup.exe” can't be sent.");
  await bo.unpicks('Files', 'setup.exe');
  await bo.fills('Message', 'Without the program');
  await bo.submits('Review');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect((await readDraft(services, { workspace: acme.id, person: bo.id })).staged).toEqual([]);
});
