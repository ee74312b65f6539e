import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { leave } from '../../src/features/account/leave/operations.ts';
import { bounds } from '../../src/lib/bounds.ts';
import { until } from '../helpers/features.ts';
import { announcementsIn, setUpInboxApp } from '../helpers/inbox-app.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { postBatches, postInChannels, postManyItems } from './inbox-rate-limits.ts';

const postgres = startTestPostgres();

test('if 500 items arrive together, they share a post; the list shows each item once', async () => {
  await postManyItems(postgres, 63);
}, 120_000);

test("twelve batches of items are posted within Slack's rate limit, each item once", async () => {
  await postBatches(postgres, { batches: 12, speed: 1 });
}, 300_000);

test("checks of 40 channels stay within Slack's rate limit, even if posts must wait", async () => {
  const { checks } = await postInChannels(postgres, { channels: bounds.inboxChannels, itemsEach: 6, speed: 10 });
  expect(checks.size).toBe(bounds.inboxChannels);
}, 120_000);

test('ten channels get posts at the same time, each checked at most every few seconds', async () => {
  const { posts, checks } = await postInChannels(postgres, { channels: 10, itemsEach: 6, speed: 2 });
  // Every channel has its first post before any has its third.
  const seen: unknown[] = [];
  for (const channel of posts) {
    if (seen.filter((other) => other === channel).length === 2) break;
    seen.push(channel);
  }
  expect(new Set(seen).size).toBe(10);
  expect(checks.size).toBe(10);
  // A check is valid for 5.5 seconds of Slack's clock. Expect more than 3, because the duration of the calls varies.
  const pauses = [...checks.values()].flatMap((times) => times.map((at, index) => at - (times[index - 1] ?? 0)));
  expect(Math.min(...pauses)).toBeGreaterThan(3_000);
}, 60_000);

test("after a disconnect, a post that waits for the rate limit isn't made", async () => {
  const { acme, inbox, addItem, exchange, services, untilIdle } = await setUpInboxApp(postgres, { postMs: 2_000 });
  const before = inbox.messages.length;
  const delayedPoll = exchange.addFault({ operation: 'get_history', kind: 'delay' });
  await delayedPoll.triggered;
  for (const sender of ['carl@example.org', 'dora@example.net']) await addItem(sender, ['plan.pdf']);
  await delayedPoll.release();
  await until(() => inbox.messages.length > before || undefined, 'the first post');
  await sleep(500); // now the second post waits for the rate limit
  await leave(services, { workspace: acme.id }, 'disconnect');
  await untilIdle();
  expect(inbox.messages).toHaveLength(before + 1);
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
  await changeSettings({ inboxChannels: [inboxChannel(other.id)] });
  await bo.opens('#other');
  await bo.sees('1 file from dora@example.net');
  expect(announcementsIn(inbox)).toHaveLength(before + 1);
});
