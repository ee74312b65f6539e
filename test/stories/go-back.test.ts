import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();

test("the Back button in a transfer's review restores the form, which can then be sent", async () => {
  const { bo, account } = await setUpApp(postgres);
  await stages(bo, [
    { name: 'plan.pdf', data: 'the plan' },
    { name: 'map.png', data: 'the map' },
  ]);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'board');
  await bo.unpicks('Choose from your files ready to send', 'map.png');
  await bo.attaches('More files', [{ name: 'annex.txt', data: 'the annex' }]);
  await bo.fills('Message', 'Here you are');
  await bo.fills('Expires after (unit unknown)', '5');
  await bo.submits('Review');
  await bo.sees("can't be recalled");
  await bo.clicks('Back');
  await bo.sees('To: board');
  const form = bo.screen().split('== Send files ==')[1] ?? '';
  expect(form).toContain('Choose from your files ready to send (optional): plan.pdf (8 bytes), annex.txt (9 bytes)\n');
  expect(form).toContain('Message (optional): Here you are');
  expect(form).toContain('Expires after (unit unknown): 5');
  await bo.unpicks('Choose from your files ready to send', 'annex.txt');
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

test('every page and form of the settings opens on top of the overview', async () => {
  const { anna } = await setUpApp(postgres);
  await anna.types('/drop settings', { in: '#general' });
  for (const [name, back] of [
    ['Change inbox channels', 'Back'],
    ['Change downloads', 'Cancel'],
    ['Change permissions', 'Cancel'],
    ['Change sending', 'Cancel'],
    ['Change expiry', 'Cancel'],
    ['Change approval rules', 'Cancel'],
    ['Change approvers', 'Cancel'],
    ['Change file rules', 'Cancel'],
    ['Change service options', 'Cancel'],
    ['Pause or resume', 'Back'],
  ] as const) {
    await anna.clicks(name);
    await anna.doesNotSee('== Settings ==');
    await anna.clicks(back);
    await anna.sees('== Settings ==');
  }
});

test('the overview of the settings shows a change made on one of its pages', async () => {
  const { anna, acme } = await setUpApp(postgres);
  acme.addChannel({ name: 'inbox', members: [anna, 'app'] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change inbox channels');
  await anna.clicks('Add channel');
  await anna.picks('Channel', 'inbox');
  await anna.fills('Senders', 'example.org');
  await anna.submits('Add');
  await anna.sees('✅ Saved.');
  await anna.clicks('Back');
  await anna.sees('#inbox · example.org · every item');
  await anna.sees('Everything else: the person who connected the workspace is notified');
  await anna.clicks('Change inbox channels');
  await anna.clicks('Remove channel for example.org');
  await anna.confirms('Remove');
  await anna.sees('✅ Inbox channel removed.');
  await anna.clicks('Back');
  await anna.sees('No channel yet: the person who connected the workspace is notified');
});

test('the Cancel button of a settings form saves nothing and goes back one page', async () => {
  const { anna } = await setUpApp(postgres);
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change expiry');
  await anna.fills('Default expiry', '9');
  await anna.clicks('Cancel');
  await anna.clicks('Leave');
  await anna.sees('Transfers expire after 7 (unit unknown).');
  await anna.clicks('Change inbox channels');
  await anna.clicks('Add channel');
  await anna.clicks('Cancel');
  await anna.sees('No channel yet');
  await anna.clicks('Back');
  await anna.clicks('Change expiry');
  await anna.sees('Default expiry: 7');
  await anna.fills('Default expiry', '9');
  await anna.submits('Save');
  await anna.sees('✅ Saved.');
  await anna.sees('Transfers expire after 9 (unit unknown).');
  await anna.closes();
  expect(anna.screen()).not.toContain('== Settings ==');
});
