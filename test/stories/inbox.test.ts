import { expect, test } from 'vitest';
import { until } from '../helpers/features.ts';
import { announcementsIn, setUpInboxApp } from '../helpers/inbox-app.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a click on a file in a post delivers the file once and only to that person', async () => {
  const { bo, anna, addItem, slack, audited, inbox } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf', 'map.png']);
  await bo.sees('2 files from carl@example.org');
  await bo.sees('Expires');
  slack.addFault({ delivery: 'block_actions', kind: 'duplicate' });
  await bo.clicks('Download plan.pdf');
  await bo.sees("I'll send you “plan.pdf” in a direct message.");
  await anna.sees('Downloaded by @Bo');
  await anna.doesNotSee("I'll send you");
  // The private answer stays below the post, so it must not claim to be in progress.
  await bo.sees("I'll send you “plan.pdf”");
  await bo.doesNotSee('Downloading');
  await bo.opens('Dropline');
  expect(String(await (await bo.downloads('plan.pdf')).read())).toBe('bytes of plan.pdf');
  await bo.doesNotSee('Downloading');
  expect(slack.calls.filter(({ method }) => method === 'files.completeUploadExternal')).toHaveLength(1);
  expect((await audited()).filter(({ person }) => person === bo.id)).toEqual([
    { person: bo.id, action: 'download', outcome: 'done' },
  ]);
  expect(inbox.messages.flatMap(({ fileIds }) => fileIds)).toEqual([]);
});

test('/drop inbox pages through items, newest first, and through the files of an item', async () => {
  const { bo, addItem, acme } = await setUpInboxApp(postgres);
  const names = Array.from({ length: 45 }, (_, number) => `scan-${String(number).padStart(3, '0')}.png`);
  for (const sender of ['first@example.org', ...'bcdefgh', 'last@example.org']) {
    await addItem(sender.includes('@') ? sender : `${sender}@example.org`, ['x.txt']);
  }
  await until(() => announcementsIn(acme.channel('inbox')).length === 10 || undefined, 'nine posts');
  await addItem('dora@example.net', names);
  await bo.sees('45 files from dora@example.net');
  await bo.types('/drop inbox');
  await bo.sees('10 items, newest first. Updated');
  expect(bo.screen().indexOf('dora@example.net')).toBeLessThan(bo.screen().indexOf('last@example.org'));
  await bo.clicks('Next page');
  await bo.sees('first@example.org');
  await bo.doesNotSee('dora@example.net');
  await bo.clicks('Previous page');
  await bo.clicks('Show all 45 files');
  await bo.sees('scan-019.png');
  await bo.clicks('Next page');
  await bo.sees('Page 2 of 3');
  await bo.clicks('Next page');
  await bo.clicks('Download scan-044.png');
  await bo.sees("I'll send you “scan-044.png”");
  await bo.sees('Page 3 of 3');
  await bo.clicks('Close');
  await bo.sees('10 items');
  await bo.closes();
  await bo.clicks('Show all 45 files', { near: '45 files from dora@example.net' });
  await bo.sees('scan-000.png');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.downloads('scan-044.png');
});

test('an item goes to the channel of its address, else its domain, else the inbox', async () => {
  const { bo, anna, addItem, acme, changeSettings, inbox } = await setUpInboxApp(postgres);
  const legal = acme.addChannel({ name: 'legal', members: [anna, bo, 'app'] });
  const plans = acme.addChannel({ name: 'plans', kind: 'private', members: [bo, 'app'] });
  await changeSettings({
    inboxChannels: [
      inboxChannel(inbox.id),
      inboxChannel(plans.id, { senders: ['example.org'] }),
      inboxChannel(legal.id, { senders: ['carl@example.org'] }),
    ],
  });
  await addItem('Carl@Example.org', ['contract.pdf']);
  await addItem('eve@example.org', ['plan.dwg']);
  await addItem('eve@sub.example.org', ['other.txt']);
  await bo.opens('#legal');
  await bo.sees('contract.pdf');
  await bo.opens('#plans');
  await bo.sees('plan.dwg');
  await bo.opens('#inbox');
  await bo.sees('other.txt');
  expect([legal, plans, inbox].map((channel) => announcementsIn(channel).length)).toEqual([1, 1, 2]);
});

test('an item that has disappeared loses its button; a click on an old button says why', async () => {
  const { bo, anna, addItem, account, exchange, services, acme } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  await bo.types('/drop inbox');
  await bo.sees('1 item, newest first');
  account.inbox.splice(0);
  await anna.sees('No longer available: expired or removed.');
  await anna.doesNotSee('[Download]');
  await bo.clicks('Download plan.pdf');
  await bo.sees('This file is no longer available');
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
  const [entry] = await services.store.audit.list(acme.id);
  expect(entry).toMatchObject({ action: 'ask for a download', outcome: 'not-found' });
});
