import { expect, test } from 'vitest';
import { user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { directMessages, remindersIn, requestFrom, setUpReminders } from './reminders.ts';

const postgres = startTestPostgres();
const setUp = () => setUpReminders(postgres);

test('one reminder is posted in the thread of an item before the item expires', async () => {
  const { bo, addItem, addOldItem, inbox, remind, services, logged } = await setUp();
  await addOldItem('carl@example.org', ['plan.pdf', 'map.png']);
  await addItem('dora@example.net', ['letter.pdf']);
  await bo.sees('2 files from carl@example.org');
  await bo.sees('1 file from dora@example.net');
  await remind();
  await remind();
  const post = inbox.messages.find(({ text }) => text.startsWith('2 files from carl@example.org'));
  expect(remindersIn(inbox)).toMatchObject([
    {
      text: 'Not downloaded yet. 2 files from carl@example.org: plan.pdf and map.png. Expires soon.',
      threadTs: post?.ts,
      broadcast: true,
    },
  ]);
  expect(await services.metrics.render()).toContain('dropline_reminders_total{about="items",outcome="sent"}');
  expect(logged()).toContain('reminder sent');
});

test('no one is reminded of items that were downloaded, disappeared or have no expiry', async () => {
  const { bo, addOldItem, account, inbox, remind, services } = await setUp();
  const { pool } = services.store;
  for (const sender of ['downloaded', 'gone', 'old', 'other'])
    await addOldItem(`${sender}@example.org`, [`${sender}.pdf`]);
  for (const sender of ['downloaded', 'gone', 'old', 'other']) await bo.sees(`1 file from ${sender}@example.org`);
  await bo.clicks('Download downloaded.pdf');
  await bo.sees('Downloaded by @Bo');
  const urlOf = (sender: string) => account.inbox.find((item) => item.sender === `${sender}@example.org`)?.url;
  // Rows of earlier versions have no expiry.
  const earlier = 'update dropline.inbox_items set expires_from = null, expires_after = null where url = $1';
  await pool.query(earlier, [urlOf('old')]);
  account.inbox.splice(0, account.inbox.length, ...account.inbox.filter(({ url }) => url !== urlOf('gone')));
  await bo.sees('No longer available');
  await remind();
  expect(remindersIn(inbox).map(({ text }) => text)).toEqual([
    'Not downloaded yet. 1 file from other@example.org: other.pdf. Expires soon.',
  ]);
});

test('a requester is reminded of a request without an upload and can ask again', async () => {
  const { bo, addItem, remind, changeSettings, ageRequests, exchange } = await setUp();
  await changeSettings({ requests: true });
  await requestFrom(bo, 'carl@example.org');
  await requestFrom(bo, 'dora@example.net');
  await addItem('dora@example.net', ['map.png']);
  await bo.sees('1 file from dora@example.net, requested by @Bo');
  await ageRequests(47);
  await remind();
  expect(directMessages(bo, 'Your request expires')).toEqual([]);
  await ageRequests(2);
  await remind();
  await remind();
  const [reminder, ...more] = directMessages(bo, 'Your request expires');
  expect(reminder).toContain('No uploads yet from carl@example.org');
  expect(more).toEqual([]);
  await bo.opens('Dropline');
  const [, shownExpiry = ''] = /Your request expires (\S+)\./.exec(bo.screen()) ?? [];
  const hoursLeft = (Date.parse(shownExpiry) - Date.now()) / 3_600_000;
  expect(hoursLeft).toBeGreaterThan(22.5);
  expect(hoursLeft).toBeLessThan(23.5);
  await bo.clicks('Ask again', { near: 'No uploads yet from carl@example.org' });
  await bo.sees(/1 person can upload files for you:[\s\S]*carl@example\.org/);
  await bo.sees(/Message:\s+Please send the plans\./);
  await bo.submits('Request from 1 person');
  await expect.poll(() => exchange.account(user).uploadPages.length).toBe(3);
});
