import { expect, test } from 'vitest';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendFile } from '../helpers/send-file.ts';
import { openCard } from './request.ts';

const postgres = startTestPostgres();

test("a contact's card shows what was exchanged; members see only their own transfers", async () => {
  const setup = await setUpInboxApp(postgres);
  const { anna, bo, changeSettings, addItem, account } = setup;
  await changeSettings({ requests: true });
  await sendFile(setup, bo, 'plan.pdf');
  const [sent] = account.drops;
  if (sent === undefined) throw new Error('nothing was sent');
  const sentByOther = (name: string, email: string) => ({
    ...sent,
    id: name,
    files: sent.files.map((file) => ({ ...file, name })),
    recipients: [{ email }],
  });
  account.drops.push(sentByOther('map.png', 'CARL@example.org'), sentByOther('other.pdf', 'dora@example.net'));
  await anna.types('/drop request', { in: '#general' });
  await anna.picks('Request from', 'carl');
  await anna.fills('Message', 'The passport, please');
  await anna.submits('Review');
  await anna.submits('Request from 1 person');
  await openCard(anna);
  await anna.sees('Requested files from 1 person');
  await anna.types('/drop contacts carl', { in: '#general' });
  await anna.sees('Open requests');
  await anna.sees(/The passport, please.*by @Anna.*No uploads yet/);
  await anna.sees('plan.pdf');
  expect(anna.screen()).not.toContain('File request');
  await anna.closes();
  await addItem('Carl@Example.org', ['passport.jpg']);
  await anna.opens('Dropline');
  await anna.sees('carl@example.org sent 1 file');
  await addItem('dora@example.net', ['photo.jpg']);
  await bo.opens('#inbox');
  await bo.sees('photo.jpg');
  await addItem('carl@example.org', ['visa.jpg']);
  await bo.sees('visa.jpg');

  await anna.types('/drop contacts carl', { in: '#general' });
  await anna.sees('== Contact ==');
  await anna.sees(/Email: .*carl@example\.org/);
  await anna.sees(/map\.png[\s\S]*plan\.pdf/);
  await anna.sees('File request');
  await anna.sees(/visa\.jpg[\s\S]*passport\.jpg/);
  expect(anna.screen()).not.toContain('Open requests');
  await anna.clicks('Files: passport.jpg');
  await anna.clicks('Download passport.jpg');
  await anna.sees('passport.jpg');
  for (const text of ['other.pdf', 'photo.jpg']) expect(anna.screen()).not.toContain(text);
  await anna.closes();

  await bo.types('/drop contacts carl', { in: '#general' });
  await bo.sees('plan.pdf');
  await bo.sees('visa.jpg');
  for (const text of ['passport.jpg', 'map.png', 'The passport, please', 'Open requests'])
    expect(bo.screen()).not.toContain(text);

  await changeSettings({ senders: 'admins', requesters: 'admins', downloaders: 'admins' });
  await bo.clicks('Back to contacts');
  await bo.clicks('Open', { near: 'carl@example.org' });
  await bo.sees('== Contact ==');
  for (const text of ['[Send]', '[Request]', 'plan.pdf', 'visa.jpg']) expect(bo.screen()).not.toContain(text);
});

test("a contact's card has buttons to send files, request files, edit and remove", async () => {
  const { bo, changeSettings, account } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true });
  account.contacts.global = [{ email: 'help@service.example', nick: 'Support' }];
  await bo.types('/drop contacts', { in: '#general' });
  await bo.clicks('Open help@service.example');
  await bo.sees('managed by the service');
  expect(bo.screen()).not.toContain('[Edit]');
  await bo.clicks('Back to contacts');
  await bo.clicks('Open', { near: 'dora@example.net' });
  await bo.clicks('Send files to dora@example.net');
  await bo.sees(/To: dora@example\.net/);
  await bo.closes();
  await bo.types('/drop contacts dora', { in: '#general' });
  await bo.clicks('Request files from dora@example.net');
  await bo.sees(/Request from: dora@example\.net/);
  await bo.closes();
  await bo.types('/drop contacts dora', { in: '#general' });
  await bo.clicks('Edit dora@example.net');
  await bo.fills('Name', 'Dorothea');
  await bo.submits('Save');
  await bo.sees('Contact changed.');
  await bo.clicks('Back');
  await bo.sees('Dorothea');
  await bo.sees(/Changed .* by @Bo/);
  await bo.clicks('Remove');
  await bo.submits('Remove');
  await bo.sees('Contact removed.');
  await bo.clicks('Back');
  await bo.sees('No results for “dora”.');
});
