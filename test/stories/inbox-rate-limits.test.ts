import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until } from '../helpers/features.ts';
import { announcementsIn, setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('if a channel becomes shared, it gets no posts once its last check has expired', async () => {
  const { inbox, acme, anna, services, slack } = await setUpInboxApp(postgres, { postMs: 100 });
  const before = inbox.messages.length;
  // A check is valid for five times the pause between posts.
  const posts = Array.from({ length: 20 }, () => services.announcer.postChannelChosen(acme.id, inbox.id, anna.id));
  await until(() => inbox.messages.length > before || undefined, 'the first post');
  inbox.share();
  const sharedAt = Date.now();
  await Promise.all(posts);
  const count = inbox.messages.length - before;
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(6);
  const attempts = slack.calls.filter(({ method, at }) => method === 'chat.postMessage' && at > sharedAt + 600);
  expect(attempts).toEqual([]);
});

test('if a post waits for the rate limit, it goes to the inbox channel chosen last', async () => {
  const { acme, anna, bo, inbox, addItem, exchange, changeSettings } = await setUpInboxApp(postgres, { postMs: 2_000 });
  const other = acme.addChannel({ name: 'other', members: [anna, bo, 'app'] });
  const before = announcementsIn(inbox).length;
  const delayedPoll = exchange.addFault({ operation: 'get_history', kind: 'delay' });
  await delayedPoll.triggered;
  for (const sender of ['carl@example.org', 'dora@example.net']) await addItem(sender, ['plan.pdf']);
  await delayedPoll.release();
  await until(() => announcementsIn(inbox).length > before || undefined, 'the first post');
  await sleep(500); // now the second post waits for the rate limit
  await changeSettings({ inboxChannel: other.id });
  await bo.opens('#other');
  await bo.sees('1 file from dora@example.net');
  expect(announcementsIn(inbox)).toHaveLength(before + 1);
});
