import { expect, test } from 'vitest';
import { inboxView } from '../../src/features/inbox/list/views.ts';
import { announcementsIn, type InboxApp, setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const titlesOf = ({ acme }: InboxApp) => acme.files.map(({ title }) => title).sort();

test('the Download all button downloads each file once, even after a double click', async () => {
  const app = await setUpInboxApp(postgres);
  const { bo, addItem, exchange, slack, untilIdle, audited } = app;
  await addItem('carl@example.org', ['a.pdf', 'b.pdf', 'c.pdf']);
  await bo.sees('3 files from carl@example.org');
  await bo.types('/drop inbox');
  await bo.sees('newest first');
  const slow = exchange.addFault({ operation: 'download', kind: 'delay', times: 3 });
  const updates = () => slack.calls.filter(({ method }) => method === 'views.update').length;
  const before = updates();
  const label = 'Download all 3 files from carl@example.org';
  await Promise.all([bo.clicks(label), bo.clicks(label)]);
  await slow.triggered;
  await expect.poll(updates).toBe(before + 2);
  expect(bo.screen()).toContain("I'll send you 3 files in direct messages.");
  slow.remove();
  await slow.release();
  await bo.sees('3 files are in our direct messages.');
  await untilIdle();
  expect(titlesOf(app)).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
  await bo.clicks(label);
  await bo.sees("You've downloaded all of these files. To get one again, click Download next to it.");
  await untilIdle();
  expect(titlesOf(app)).toHaveLength(3);
  expect((await audited()).map(({ action }) => action)).not.toContain('ask for a download');
});

test('the inbox has Download all buttons for an item and for the whole page', async () => {
  const app = await setUpInboxApp(postgres);
  const { bo, addItem, changeSettings } = app;
  await addItem('carl@example.org', ['plan.pdf', 'map.png']);
  await addItem('dora@example.net', ['letter.pdf']);
  await bo.sees('1 file from dora@example.net');
  await bo.types('/drop inbox');
  await bo.sees('2 items, newest first.');
  await bo.sees('[Download all 2 files]');
  await bo.clicks('Download all on this page');
  await bo.sees('3 files are in our direct messages.');
  expect(titlesOf(app)).toEqual(['letter.pdf', 'map.png', 'plan.pdf']);
  expect(bo.screen()).not.toContain("I'll send you");
  await changeSettings({ downloaders: 'admins' });
  await bo.clicks('Download all on this page');
  await bo.sees("You can't download files in this workspace.");
});

test('the Download all button of a post delivers to its thread, if an admin chose that', async () => {
  const app = await setUpInboxApp(postgres);
  const { bo, addItem, changeInbox, inbox } = app;
  await changeInbox({ delivery: 'thread' });
  await addItem('carl@example.org', ['a.pdf', 'b.pdf']);
  await bo.clicks('Download all 2 files from carl@example.org');
  await bo.sees("I'll post 2 files in the thread.");
  await bo.downloads('a.pdf');
  await bo.downloads('b.pdf');
  const [, post, ...replies] = announcementsIn(inbox).filter(({ ephemeralTo }) => ephemeralTo === undefined);
  expect(replies.map(({ threadTs }) => threadTs)).toEqual([post?.ts, post?.ts]);
});

test("before the first poll, the inbox isn't shown as empty", () => {
  const empty = { items: [], page: 0, total: 0, unit: 'days' as const, lastFailure: undefined };
  expect(JSON.stringify(inboxView({ ...empty, asOf: undefined }))).not.toContain('empty');
  expect(JSON.stringify(inboxView({ ...empty, asOf: new Date(0) }))).toContain('Your inbox is empty.');
});
