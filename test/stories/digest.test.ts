import { expect, test } from 'vitest';
import { hourText } from '../../src/features/settings/inbox-channels.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import { laterDigest, skipDay, untilDigestWaits } from '../helpers/digests.ts';
import { announcementsIn, setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('an admin sets a daily digest; its items share a post and keep their buttons', async () => {
  const app = await setUpInboxApp(postgres);
  const { acme, anna, bo, addItem, inbox, services, changeInbox, logged } = app;
  await changeInbox({ delivery: 'thread' });
  const hour = (Number(new Date().toLocaleString('sv', { timeZone: 'Europe/Stockholm', hour: '2-digit' })) + 12) % 24;
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change inbox channels');
  await anna.clicks('Change channel for everything else');
  await anna.picks('Post', `Daily at ${hourText(hour)} (Europe/Stockholm)`);
  await anna.submits('Save');
  await anna.sees('✅ Saved.');
  await anna.sees(`#inbox · everything else · daily at ${hourText(hour)} (Europe/Stockholm)`);
  await anna.clicks('Back');
  await anna.sees(`#inbox · everything else · daily at ${hourText(hour)} (Europe/Stockholm)`);
  await anna.closes();
  expect((await readSettings(services, { workspace: acme.id })).inboxChannels).toMatchObject([
    { channel: inbox.id, posts: 'day', hour, zone: 'Europe/Stockholm' },
  ]);

  const before = announcementsIn(inbox).length;
  await addItem('carl@example.org', ['plan.pdf']);
  await addItem('dora@example.net', ['map.png']);
  await untilDigestWaits(app, 2);
  expect(announcementsIn(inbox)).toHaveLength(before);
  expect(await skipDay(services.store.pool)).toBe(1);
  await bo.sees('Digest: 2 new items');
  await bo.sees('1 file from carl@example.org');
  await bo.sees('1 file from dora@example.net');
  await bo.clicks('Download map.png');
  await bo.sees("I'll post “map.png” in the thread.");
  await bo.sees('Downloaded by @Bo');
  await bo.sees('1 file from carl@example.org');
  const posts = announcementsIn(inbox).slice(before);
  expect(posts.filter(({ text }) => text.startsWith('Digest:'))).toHaveLength(1);
  const file = posts.find(({ fileIds }) => fileIds.length > 0);
  expect(file).toMatchObject({ threadTs: posts.find(({ text }) => text.startsWith('Digest:'))?.ts });
  expect(logged()).toContain('digest posted');
  expect(await services.metrics.render()).toMatch(/dropline_digests_total\{every="day"\} [1-9]/);
});

test('when a digest is turned off, its items are posted immediately, and only once', async () => {
  const app = await setUpInboxApp(postgres);
  const { anna, bo, addItem, inbox, services, untilIdle, changeInbox } = app;
  await changeInbox(laterDigest());
  const before = announcementsIn(inbox).length;
  await addItem('carl@example.org', ['plan.pdf']);
  await untilDigestWaits(app, 1);
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change inbox channels');
  await anna.clicks('Change channel for everything else');
  await anna.picks('Post', 'Every item');
  await anna.submits('Save');
  await bo.sees('1 file from carl@example.org');
  expect(await skipDay(services.store.pool)).toBe(1);
  await addItem('dora@example.net', ['map.png']);
  await bo.sees('1 file from dora@example.net');
  await untilIdle();
  expect(
    announcementsIn(inbox)
      .slice(before)
      .map(({ text }) => text),
  ).toEqual(['1 file from carl@example.org: plan.pdf', '1 file from dora@example.net: map.png']);
});

test('items of one sender found together share a post, which shows the state of each', async () => {
  const { account, bo, anna, addItem, exchange, inbox } = await setUpInboxApp(postgres);
  const before = announcementsIn(inbox).length;
  const delayedPoll = exchange.addFault({ operation: 'get_history', kind: 'delay' });
  await delayedPoll.triggered;
  await addItem('carl@example.org', ['plan.pdf']);
  const removed = await addItem('carl@example.org', ['map.png']);
  await delayedPoll.release();
  await bo.sees('map.png');
  await bo.clicks('Download plan.pdf');
  await anna.sees('Downloaded by @Bo');
  account.inbox.splice(
    account.inbox.findIndex(({ url }) => url === removed.url),
    1,
  );
  await anna.sees('No longer available: expired or removed.');
  await anna.sees('Downloaded by @Bo');
  await anna.sees('plan.pdf');
  const posts = announcementsIn(inbox).slice(before);
  expect(posts.filter(({ ephemeralTo }) => ephemeralTo === undefined).map(({ text }) => text)).toEqual([
    '1 file from carl@example.org: plan.pdf\n1 file from carl@example.org: map.png (no longer available)',
  ]);
});
