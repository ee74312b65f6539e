import { expect, test } from 'vitest';
import { bounds } from '../../src/lib/bounds.ts';
import { testMalware } from '../../src/sandbox/scanner.ts';
import { user } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { startTestScanner } from '../scan/helper.ts';
import { scanBy } from './scanning.ts';

const postgres = startTestPostgres();
const scanner = startTestScanner();

const itemCount = 1_000;

test('the Home tab opens with one call while a person has taken 1,000 items', async () => {
  const { bo, anna, acme, slack, services, exchange, changeInbox } = await setUpInboxApp(postgres);
  await changeInbox({ takeAndDone: true });
  const file = { name: 'x.txt', data: 'x' };
  for (let number = 0; number < itemCount; number += 1)
    await exchange.addInboxItem(user, { sender: `s${number}@example.org`, files: [file] });
  const { pool } = services.store;
  const areAllRecorded = async () => {
    const { rows } = await pool.query('select count(*)::int as many from dropline.inbox_items where workspace = $1', [
      acme.id,
    ]);
    return rows[0]?.many === itemCount || undefined;
  };
  await until(areAllRecorded, 'the poll to record all items');
  await pool.query('update dropline.inbox_items set taken_by = $2, taken_at = now() where workspace = $1', [
    acme.id,
    bo.id,
  ]);
  const countPublished = () => slack.calls.filter(({ method }) => method === 'views.publish').length;
  const before = countPublished();
  await bo.opens('Home of Dropline');
  await bo.sees(`and ${itemCount - bounds.takenOnHome} more`);
  expect(countPublished()).toBe(before + 1);
  expect(bo.screen().match(/x\.txt from s\d+@example\.org, since/g)).toHaveLength(bounds.takenOnHome);
  await bo.clicks('View what you took');
  await bo.sees('1,000 items that you took');
  await bo.sees('Page 1 of 125');
  await anna.opens('Home of Dropline');
  await anna.sees('Inbox');
  expect(anna.screen()).not.toContain('Taken by you');
});

test('an infected item has the Done button but not the Take button', async () => {
  const { bo, anna, addItem, changeInbox } = await setUpInboxApp(postgres, scanBy(scanner.server));
  await changeInbox({ takeAndDone: true });
  await addItem('carl@example.org', [{ name: 'bad.txt', data: `text ${testMalware}` }]);
  await anna.sees('[Take]');
  await bo.clicks('Download bad.txt');
  await anna.sees('Malware found');
  await anna.doesNotSee('[Take]');
  await bo.clicks('Done 1 file from carl@example.org');
  await anna.sees('✅ Done by @Bo');
});

test('an item that has disappeared can be marked as done but not taken', async () => {
  const { bo, anna, addItem, changeInbox, account } = await setUpInboxApp(postgres);
  await changeInbox({ takeAndDone: true });
  for (const sender of ['carl@example.org', 'dora@example.net']) await addItem(sender, ['plan.pdf']);
  await bo.clicks('Take 1 file from carl@example.org');
  await anna.sees('Taken by @Bo since');
  account.inbox.splice(0);
  await anna.sees('No longer available: expired or removed.');
  await anna.doesNotSee('[Take over…]');
  await anna.doesNotSee('[Take]');
  await bo.opens('Home of Dropline');
  await bo.sees('plan.pdf from carl@example.org (no longer available), since');
  await bo.clicks('View what you took');
  await bo.clicks('Done 1 file from carl@example.org');
  await bo.sees('You have no items to finish.');
  await anna.sees('✅ Done by @Bo');
});

test('an item stays with a person who lost permission, and others can take it over', async () => {
  const { bo, anna, addItem, changeInbox, changeSettings, acme, services, logged } = await setUpInboxApp(postgres);
  await changeInbox({ takeAndDone: true });
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.clicks('Take 1 file from carl@example.org');
  await anna.sees('Taken by @Bo since');
  await changeSettings({ downloaders: 'admins' });
  await bo.clicks('Done 1 file from carl@example.org');
  await bo.sees("You can't download files in this workspace.");
  await bo.opens('Home of Dropline');
  await bo.sees('Recently sent');
  expect(bo.screen()).not.toContain('Taken by you');
  await anna.clicks('Take over…');
  await anna.submits('Take over');
  await anna.sees('You have taken 1 file from carl@example.org.');
  await until(async () => ((await services.queue.size()) === 0 ? true : undefined), 'the jobs to end');
  expect(bo.messages.filter(({ text }) => text.includes('took over'))).toEqual([]);
  expect(logged()).not.toContain('person not notified');
  const [entry] = await services.store.audit.list(acme.id, { action: 'mark done' });
  expect(entry?.outcome).toBe('not-allowed');
});

test('posts have the Take button only in channels where an admin turned it on', async () => {
  const { bo, anna, addItem, changeSettings, acme, inbox } = await setUpInboxApp(postgres);
  const legal = acme.addChannel({ name: 'legal', members: [anna, bo, 'app'] });
  await changeSettings({
    inboxChannels: [inboxChannel(inbox.id), inboxChannel(legal.id, { senders: ['example.net'], takeAndDone: true })],
  });
  await addItem('carl@example.org', ['plan.pdf']);
  await addItem('dora@example.net', ['contract.pdf']);
  await bo.sees('plan.pdf');
  expect(bo.screen()).not.toContain('[Take]');
  await bo.opens('#legal');
  await bo.sees('[Take]');
  await bo.types('/drop inbox');
  await bo.clicks('Open items');
  await bo.sees('1 open item, newest first.');
  await bo.sees('contract.pdf');
});

test('the inbox and the Home tab stop listing taken items once the last one is done', async () => {
  const { bo, addItem, changeInbox } = await setUpInboxApp(postgres);
  await changeInbox({ takeAndDone: true });
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.clicks('Take 1 file from carl@example.org');
  await bo.sees('You have taken 1 file from carl@example.org.');
  await bo.opens('Home of Dropline');
  await bo.clicks('View what you took');
  await bo.sees('1 item that you took, newest first.');
  await bo.clicks('Done 1 file from carl@example.org');
  await bo.sees('You have no items to finish.');
  await bo.closes();
  await bo.doesNotSee('Taken by you');
  await bo.types('/drop inbox', { in: '#inbox' });
  await bo.sees('[✓ All items] [Not downloaded] [Open items] [Done items] Search');
});

test('after the Take and Done buttons are turned off, a click on an old one says so', async () => {
  const { bo, anna, addItem, changeInbox, audited } = await setUpInboxApp(postgres);
  await changeInbox({ takeAndDone: true });
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('[Take]');
  await changeInbox({ takeAndDone: false });
  await bo.clicks('Take 1 file from carl@example.org');
  await bo.sees('Take and Done are turned off for this channel.');
  await bo.clicks('Download plan.pdf');
  await anna.sees('Downloaded by @Bo');
  await anna.doesNotSee('[Take]');
  const takes = (await audited()).filter(({ action }) => action === 'take');
  expect(takes).toEqual([{ person: bo.id, action: 'take', outcome: 'switched-off' }]);
});
