import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { announcementsIn, setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test("a second click during a download doesn't deliver the file twice", async () => {
  const { bo, addItem, slack, exchange, untilIdle } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  const slow = exchange.addFault({ operation: 'download', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await slow.triggered;
  await bo.clicks('Download plan.pdf');
  await slack.untilIdle();
  // Give the second job time to start, or to find that it must wait.
  await sleep(1_000);
  await slow.release();
  await bo.opens('Dropline');
  expect(String(await (await bo.downloads('plan.pdf')).read())).toBe('bytes of plan.pdf');
  await untilIdle();
  expect(slack.calls.filter(({ method }) => method === 'files.completeUploadExternal')).toHaveLength(1);
  expect(bo.screen()).not.toContain('Downloading');
});

test('without an inbox channel, new files are announced to the person who connected', async () => {
  const { anna, exchange } = await setUpApp(postgres, { pollMs: 300 });
  await anna.opens('Dropline');
  await anna.sees('The inbox is empty.');
  await exchange.addInboxItem(user, { sender: 'carl@example.org', files: [{ name: 'x.txt', data: 'x' }] });
  await anna.sees('1 file from carl@example.org');
});

test('existing items get one summary, and so do new items from 12 senders', async () => {
  const { bo, anna, acme, exchange, services } = await setUpApp(postgres, { connected: false, pollMs: 300 });
  const addItem = (sender: string) => exchange.addInboxItem(user, { sender, files: [{ name: 'x.txt', data: 'x' }] });
  for (const sender of ['a@example.org', 'b@example.org']) await addItem(sender);
  const inbox = acme.addChannel({ name: 'inbox', members: [anna, bo, 'app'] });
  const login = { baseUrl: exchange.url, username: user, apiKey };
  await connect(services, { workspace: acme.id, person: anna.id }, { ...login, inboxChannel: inbox.id });
  await bo.opens('#inbox');
  await bo.sees('2 items are already in the inbox.');
  // All items arrive before the next poll.
  const delayedPoll = exchange.addFault({ operation: 'get_history', kind: 'delay' });
  await delayedPoll.triggered;
  for (let count = 0; count < 12; count += 1) await addItem(`sender-${count}@example.org`);
  await delayedPoll.release();
  await bo.sees('12 new items in the inbox, with 12 files');
  await bo.sees('sender-0@example.org: 1 file');
  await bo.sees('and 2 other senders');
  expect(announcementsIn(inbox)).toHaveLength(2);
  await bo.clicks('Inbox', { near: '12 new items' });
  await bo.sees('14 items');
  // The service's own units have no known length, so no expiry date is shown.
  await bo.doesNotSee('Expires');
});
