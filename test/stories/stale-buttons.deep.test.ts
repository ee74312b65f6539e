import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { sha256, until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, stages } from '../helpers/send-steps.ts';
import { fetchLink, setUpLinks } from './download-link.ts';
import { openCard } from './request.ts';
import { sendFile } from './send.ts';
import { countButtons, plan, untilWithoutButtons } from './stale-buttons.ts';

const postgres = startTestPostgres();

test('only the latest message about a draft or staged files has buttons', async () => {
  const { bo } = await setUpApp(postgres);
  await stages(bo, [plan]);
  await bo.shares([{ name: 'map.png', data: 'the map' }]);
  await bo.sees('Ready to send: map.png. 2 files in total.');
  await untilWithoutButtons(bo, 'Ready to send: plan.pdf.');
  for (const message of ['One', 'Two']) {
    await bo.types('/drop send');
    await bo.fills('Message', message);
    await bo.closes();
  }
  const countSaved = () => bo.messages.filter(({ text }) => text.includes('Your draft is saved: message.')).length;
  await until(() => (countSaved() === 2 && countButtons(bo, 'Continue') === 1) || undefined, 'one Continue button');
});

test('removing the last staged file removes the Send button', async () => {
  const { bo } = await setUpApp(postgres);
  await stages(bo, [plan]);
  await bo.types('/drop files');
  await bo.clicks('Remove plan.pdf');
  await bo.sees('No files yet.');
  await bo.closes();
  await untilWithoutButtons(bo, 'Ready to send: plan.pdf.');
});

test("retrying a transfer removes the buttons of its card and of the admin's message", async () => {
  const { anna, bo, account } = await setUpApp(postgres);
  account.uploads.push({ name: 'stranger.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  await sendFile(bo, 'plan.pdf', 'carl');
  await bo.sees('stranger.doc');
  await bo.clicks('Ask an admin');
  await bo.doesNotSee('[Ask an admin]');
  await anna.opens('Dropline');
  await anna.sees('would be sent too');
  account.uploads = [];
  await bo.clicks('Try again…');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  await untilWithoutButtons(bo, 'Not sent');
  await untilWithoutButtons(anna, 'The transfer was tried again.');
  await anna.sees('stranger.doc');
});

test('retrying a cancelled transfer removes the buttons of its card', async () => {
  const { bo, exchange, account } = await setUpApp(postgres);
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await sendFile(bo, 'plan.pdf', 'carl');
  await slow.triggered;
  await bo.clicks('Cancel');
  await bo.confirms('Cancel transfer');
  await slow.release();
  await bo.clicks('Try again…');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  await untilWithoutButtons(bo, 'Nothing was sent.');
  expect(account.drops).toHaveLength(1);
});

test('if a failed download is tried again, the same message shows its progress', async () => {
  const { bo, addItem, exchange } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  exchange.addFault({ operation: 'download', kind: 'reset-during' });
  await bo.clicks('Download plan.pdf');
  await bo.opens('Dropline');
  await bo.sees("couldn't be downloaded");
  const slow = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.clicks('Download plan.pdf again');
  await slow.triggered;
  await bo.sees('Downloading “plan.pdf” from carl@example.org…');
  expect(countButtons(bo, 'Try again')).toBe(0);
  await slow.release();
  await bo.downloads('plan.pdf');
  await bo.doesNotSee("couldn't be downloaded");
});

test('a request that is being cancelled has no Cancel button', async () => {
  const { bo, changeSettings, exchange } = await setUpInboxApp(postgres);
  await changeSettings({ requests: true });
  const slow = exchange.addFault({ operation: 'receivers_set', kind: 'delay' });
  await bo.types('/drop request');
  await bo.picks('Request from', 'carl@example.org');
  await bo.fills('Message', 'Please send the plans.');
  await bo.submits('Review');
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await slow.triggered;
  await bo.clicks('Cancel');
  await bo.confirms('Cancel request');
  await bo.sees('Cancelling…');
  expect(countButtons(bo, 'Cancel')).toBe(0);
  await slow.release();
  await bo.sees('Your request to carl@example.org was cancelled');
});

test('a download link that was used loses its button', async () => {
  const { bo, addItem, linkTo } = await setUpLinks(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  const link = await linkTo('plan.pdf');
  expect((await fetchLink(link, 'GET')).status).toBe(200);
  expect(countButtons(bo, 'Open download page')).toBe(1);
  expect((await fetchLink(link, 'POST')).status).toBe(200);
  await untilWithoutButtons(bo, 'Your link to “plan.pdf” from carl@example.org has been used.');
});
