import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('files shared in a direct message are staged, reviewed and sent', async () => {
  const { bo, account } = await setUpApp(postgres, { timing: { batchMs: 1_000 } });
  await bo.opens('Dropline');
  await bo.shares(
    [
      { name: 'plan.pdf', data: 'the plan' },
      { name: 'map.png', data: 'the map' },
    ],
    { in: 'Dropline' },
  );
  await bo.sees('Ready to send: map.png and plan.pdf.');
  await bo.clicks('Send 2 files…');
  await bo.sees('Send files');
  await bo.picks('To', 'carl');
  await bo.picks('To', 'board');
  await bo.fills('Message', 'Here you are');
  await bo.fills('Expires after (unit unknown)', '5');
  await bo.sees("Included in the email. Your name isn't, so say who you are.");
  await bo.submits('Review');
  await bo.sees('carl@example.org');
  await bo.sees('dora@example.net (Dora) · Mobile 46700000002');
  await bo.sees('New recipient');
  await bo.sees("can't be recalled");
  await bo.submits('Send 2 files to 2 people');
  await bo.sees("I'll update you in our direct messages.");
  await bo.closes();
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
  const [transfer] = account.drops;
  expect(transfer).toMatchObject({ message: 'Here you are', ttl: 5 });
  expect(transfer?.receivers.map(({ email }) => email)).toEqual(['carl@example.org', 'dora@example.net']);
  expect(transfer?.files.map(({ name, sha256: sum }) => [name, sum]).sort()).toEqual([
    ['map.png', sha256('the map')],
    ['plan.pdf', sha256('the plan')],
  ]);
  expect(account).toMatchObject({ uploads: [], receivers: [] });
});

test("the message shortcut sends the message's files and files attached to the form", async () => {
  const { anna, account } = await setUpApp(postgres);
  await anna.shares([{ name: 'contract.txt', data: 'the contract' }], { in: 'Dropline', text: 'please look' });
  await anna.opens('Dropline');
  await anna.usesShortcut('Send securely', { on: 'please look' });
  await anna.picks('To', 'emil');
  await anna.attaches('More files', [{ name: 'annex.txt', data: 'the annex' }]);
  await anna.submits('Review');
  await anna.sees('contract.txt');
  await anna.submits('Send 2 files to 1 person');
  await anna.sees("I'll update you in our direct messages.");
  await anna.closes();
  await anna.sees('✅ Sent');
  expect(account.drops[0]?.files.map(({ sha256: sum }) => sum)).toEqual([sha256('the contract'), sha256('the annex')]);
});

test('saved recipients prefill the send form; a global shortcut also opens the form', async () => {
  const { bo, account } = await setUpApp(postgres);
  await bo.types('/drop receivers', { in: 'Dropline' });
  await bo.picks('Recipients of your next transfer', 'dora');
  await bo.submits('Save');
  await bo.closes();
  await bo.types('/drop send');
  await bo.sees('To: dora@example.net (Dora)');
  await bo.attaches('Files', [{ name: 'one.txt', data: 'one' }]);
  await bo.submits('Review');
  await bo.submits('Send 1 file to 1 person');
  await bo.sees("I'll update you in our direct messages.");
  await bo.closes();
  await bo.sees('✅ Sent');
  await bo.usesShortcut('Send files securely');
  await bo.picks('To', 'emil');
  await bo.attaches('Files', [{ name: 'two.txt', data: 'two' }]);
  await bo.submits('Review');
  await bo.submits('Send 1 file to 1 person');
  await bo.sees("I'll update you in our direct messages.");
  await bo.closes();
  await bo.sees('emil@example.com');
  await bo.sees(/✅ Sent[\s\S]*✅ Sent/);
  const sent = account.drops.map(({ receivers: recipients, files }) => [
    recipients.map(({ email }) => email),
    files[0]?.sha256,
  ]);
  expect(sent).toEqual([
    [['dora@example.net'], sha256('one')],
    [['emil@example.com'], sha256('two')],
  ]);
});

test('a name after /drop send or /drop request selects a contact if only one matches', async () => {
  const { anna, bo, acme, services } = await setUpApp(postgres);
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true });
  await bo.types('/drop send dora', { in: '#general' });
  await bo.sees(/To: dora@example\.net/);
  await bo.closes();
  await bo.types('/drop request Carl', { in: '#general' });
  await bo.sees(/Request from: carl@example\.org/);
  await bo.closes();
  for (const command of ['send', 'request']) {
    for (const [name, notice] of [
      ['example', '3 contacts match “example”. Choose below.'],
      ['nobody', 'No contact matches “nobody”.'],
    ]) {
      await bo.types(`/drop ${command} ${name}`, { in: '#general' });
      await bo.sees(`⚠️ ${notice}`);
      expect(bo.screen()).not.toMatch(/(To|Request from): \S*@/);
      await bo.closes();
    }
  }
});
