import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readDraft } from '../../src/features/staging/repository.ts';
import { sendKind } from '../../src/features/transfers/kinds/send/kind.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/kinds/send/operations.ts';
import { readEntered, withdrawReview } from '../../src/features/transfers/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();

test('Back in the review of a transfer restores the form, which can then be sent', async () => {
  const { bo, account } = await setUpApp(postgres);
  await stages(bo, [
    { name: 'plan.pdf', data: 'the plan' },
    { name: 'map.png', data: 'the map' },
  ]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'board');
  await bo.unpicks('Files ready to send', 'map.png');
  await bo.attaches('More files', [{ name: 'annex.txt', data: 'the annex' }]);
  await bo.fills('Message', 'Here you are');
  await bo.fills('Expires after (unit unknown)', '5');
  await bo.submits('Review');
  await bo.sees("can't be recalled");
  await bo.clicks('Back');
  await bo.sees('To: board');
  const form = bo.screen().split('== Send files ==')[1] ?? '';
  expect(form).toContain('Files ready to send (optional): plan.pdf (8 bytes), annex.txt (9 bytes)\n');
  expect(form).toContain('Message (optional): Here you are');
  expect(form).toContain('Expires after (unit unknown): 5');
  await bo.unpicks('Files ready to send', 'annex.txt');
  await bo.unpicks('To', 'board');
  await bo.picks('To', 'carl');
  await bo.submits('Review');
  await bo.sees("can't be recalled");
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops).toMatchObject([
    { message: 'Here you are', ttl: 5, receivers: [{ email: 'carl@example.org' }], files: [{ name: 'plan.pdf' }] },
  ]);
});

test("a review can't be both confirmed and left with Back", async () => {
  const { services, acme, bo } = await setUpApp(postgres);
  const actor = { workspace: acme.id, person: bo.id };
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  const { tray: files } = await readDraft(services, actor);
  const entered = { receivers: ['carl@example.org'], groups: [], files, message: '', timeToLive: 7 };
  const { confirmation: left } = await prepareSend(services, actor, entered);
  await withdrawReview(services, actor, sendKind, left);
  expect(await readEntered(services, actor, sendKind, left)).toBeUndefined();
  await expect(confirmSend(services, actor, left)).rejects.toThrow('This review has expired');
  const { confirmation: sent } = await prepareSend(services, actor, entered);
  await confirmSend(services, actor, sent);
  await expect(withdrawReview(services, actor, sendKind, sent)).rejects.toThrow('Already confirmed.');
});

test('Back in the review of a request restores the form', async () => {
  const { anna, acme, services, account } = await setUpApp(postgres);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true });
  await anna.types('/drop request', { in: 'Dropline' });
  await anna.picks('Request from', 'board');
  await anna.fills('Expires after (unit unknown)', '3');
  await anna.fills('Message', 'The contract, please');
  await anna.submits('Review');
  await anna.sees('2 people can upload files to your inbox:');
  await anna.clicks('Back');
  await anna.sees('Request from: board');
  await anna.sees('Message: The contract, please');
  await anna.fills('Expires after (unit unknown)', '4');
  await anna.submits('Review');
  await anna.submits('Request from 2 people');
  await anna.opens('Dropline');
  await anna.sees('Requested files from 2 people');
  expect(account.uploadPages.map(({ contact, message }) => [contact.email, message])).toEqual([
    ['carl@example.org', 'The contract, please'],
    ['dora@example.net', 'The contract, please'],
  ]);
});

test('Cancel in a settings section returns to the overview', async () => {
  const { anna } = await setUpApp(postgres);
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change sending');
  await anna.fills('Default expiry', '9');
  await anna.clicks('Cancel');
  await anna.clicks('Leave');
  await anna.sees('Expiry: 7 (unit unknown)');
  await anna.clicks('Change routes');
  await anna.clicks('Add route');
  await anna.clicks('Cancel');
  await anna.sees('None yet.');
  await anna.clicks('Back');
  await anna.clicks('Change sending');
  await anna.sees('Default expiry: 7');
  await anna.fills('Default expiry', '9');
  await anna.submits('Save');
  await anna.sees('✅ Saved.');
  await anna.sees('Expiry: 9 (unit unknown)');
  await anna.closes();
  expect(anna.screen()).not.toContain('== Settings ==');
});
