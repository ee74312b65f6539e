import { expect } from 'vitest';
import type { SlackServer } from '../../src/sandbox/slack/index.ts';
import { until } from '../helpers/features.ts';
import { announcementsIn, setUpInboxApp } from '../helpers/inbox-app.ts';
import { ignoreGuests, inboxChannel } from '../helpers/inbox-channels.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** Expects one post for 500 items, even if Slack limits calls, and the newest items on the first `pages` pages. */
export async function postManyItems(postgres: TestPostgres, pages: number): Promise<void> {
  const { bo, addItem, exchange, slack, inbox } = await setUpInboxApp(postgres);
  const delayedPoll = exchange.addFault({ operation: 'get_history', kind: 'delay' });
  await delayedPoll.triggered;
  for (let number = 0; number < 500; number += 1) await addItem(`sender-${number}@example.org`, ['x.txt']);
  slack.addFault({ method: 'conversations.info', kind: 'rate-limited' });
  slack.addFault({ method: 'chat.postMessage', kind: 'rate-limited', times: 2 });
  await delayedPoll.release();
  await bo.sees('500 new items in the inbox, with 500 files');
  await bo.sees('and 490 other senders');
  expect(announcementsIn(inbox)).toHaveLength(2);
  await bo.clicks('Inbox');
  const seen: string[] = [];
  for (let page = 1; page <= pages; page += 1) {
    await bo.sees(`Page ${page} of 63`);
    seen.push(...(bo.screen().match(/sender-\d+@/g) ?? []));
    if (page < pages) await bo.clicks('Next page');
  }
  const newestFirst = Array.from({ length: 500 }, (_, number) => `sender-${499 - number}@`);
  expect(seen).toEqual(newestFirst.slice(0, pages * 8));
}

/**
 * Expects that batches of items are posted within Slack's rate limit: only an injected fault refuses a post, and no
 * item is lost or posted twice. Slack's clock runs `speed` times as fast, and the pause between posts is shorter by the
 * same factor.
 */
export async function postBatches(postgres: TestPostgres, { batches, speed }: { batches: number; speed: number }) {
  const app = await setUpLimitedApp(postgres, speed);
  const { addItem, slack, inbox, exchange } = app;
  let number = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    const delayedPoll = exchange.addFault({ operation: 'get_history', kind: 'delay' });
    await delayedPoll.triggered;
    // More than ten at once would become one combined post.
    for (let count = 0; count < 10; count += 1) {
      number += 1;
      await addItem(`sender-${number}@example.org`, ['x.txt']);
    }
    slack.addFault({ method: 'chat.postMessage', kind: 'rate-limited' });
    await delayedPoll.release();
    await until(() => announcementsIn(inbox).length === number + 1 || undefined, 'the batch to be posted', 60_000);
  }
  const senders = inbox.messages.flatMap(({ text }) => text.match(/sender-\d+@/) ?? []);
  expect(senders).toHaveLength(number);
  expect(new Set(senders).size).toBe(number);
  expect(rateLimitedCalls(slack)).toEqual([]);
}

/** Slack's clock runs `speed` times as fast, so the pause between posts is shortened by the same factor. */
function setUpLimitedApp(postgres: TestPostgres, speed: number) {
  const startedAt = Date.now();
  return setUpInboxApp(postgres, {
    rateLimits: true,
    slackClock: () => startedAt + (Date.now() - startedAt) * speed,
    postMs: 1_100 / speed,
  });
}

/** Injected rate limits have the outcome `fault` and don't count. */
const rateLimitedCalls = ({ calls }: SlackServer) =>
  calls.filter(({ error, outcome }) => error === 'ratelimited' && outcome === 'answered');

/**
 * Announces items in many channels at once. Expects that no call is refused, and no item is lost or posted twice.
 * Resolves with the channels of the posts in order, and with the times of the checks of each channel.
 */
export async function postInChannels(
  postgres: TestPostgres,
  { channels, itemsEach, speed }: { channels: number; itemsEach: number; speed: number },
) {
  const { acme, anna, addItem, exchange, slack, services, changeSettings } = await setUpLimitedApp(postgres, speed);
  const domains = Array.from({ length: channels }, (_, number) => `c${number}.example.org`);
  const inboxChannels = domains.map((domain, number) => {
    const { id } = acme.addChannel({ name: `c${number}`, members: [anna, 'app'] });
    return inboxChannel(id, { senders: [domain] });
  });
  for (const { channel } of inboxChannels) await ignoreGuests(services, acme.id, channel);
  await changeSettings({ inboxChannels });
  const texts = (pattern: RegExp) =>
    acme.channels.flatMap(({ messages }) => messages.flatMap(({ text }) => text.match(pattern)?.slice(0, 1) ?? []));
  await until(() => texts(/^An admin set up/).length === channels || undefined, 'the notices', 60_000);
  const delayedPoll = exchange.addFault({ operation: 'get_history', kind: 'delay' });
  await delayedPoll.triggered;
  const senders = domains.flatMap((domain) =>
    Array.from({ length: itemsEach }, (_, number) => `sender-${number}@${domain}`),
  );
  for (const sender of senders) await addItem(sender, ['x.txt']);
  const before = slack.calls.length;
  await delayedPoll.release();
  const posted = () => texts(/sender-\d+@[\w.]+/);
  await until(() => posted().length >= senders.length || undefined, 'all posts', 60_000);
  expect(posted().sort()).toEqual(senders.sort());
  expect(rateLimitedCalls(slack)).toEqual([]);
  const calls = slack.calls.slice(before);
  const callsOf = (name: string) => calls.filter(({ method }) => method === name);
  const checks = new Map<unknown, number[]>();
  for (const { arguments: args, at } of callsOf('conversations.info'))
    checks.set(args.channel, [...(checks.get(args.channel) ?? []), at]);
  return { posts: callsOf('chat.postMessage').map(({ arguments: args }) => args.channel), checks };
}
