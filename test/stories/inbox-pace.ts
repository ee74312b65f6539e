import { expect } from 'vitest';
import { until } from '../helpers/features.ts';
import { newsIn, setUpInboxApp } from '../helpers/inbox-app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** 500 items at once make one post, even if Slack limits calls. Its list shows each of them once. */
export async function postCrowd(postgres: TestPostgres, pages: number): Promise<void> {
  const { bo, arrive, exchange, slack, inbox } = await setUpInboxApp(postgres);
  const looking = exchange.addFault({ operation: 'get_history', kind: 'delay' });
  await looking.struck;
  for (let number = 0; number < 500; number += 1) await arrive(`sender-${number}@example.org`, ['x.txt']);
  slack.addFault({ method: 'conversations.info', kind: 'rate-limited' });
  slack.addFault({ method: 'chat.postMessage', kind: 'rate-limited', times: 2 });
  await looking.release();
  await bo.sees('500 new items in the inbox, with 500 files');
  await bo.sees('and 490 other senders');
  expect(newsIn(inbox)).toHaveLength(2);
  await bo.clicks('Open inbox');
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
 * Items that come in waves are posted within the rate limit of Slack: none is refused, lost or posted twice. Slack's
 * clock runs faster by `speed`, and the pause between posts shrinks with it.
 */
export async function postWaves(postgres: TestPostgres, { waves, speed }: { waves: number; speed: number }) {
  const began = Date.now();
  const app = await setUpInboxApp(postgres, {
    rateLimits: true,
    slackClock: () => began + (Date.now() - began) * speed,
    postMs: 1_100 / speed,
  });
  const { arrive, slack, inbox, exchange } = app;
  let number = 0;
  for (let wave = 0; wave < waves; wave += 1) {
    const looking = exchange.addFault({ operation: 'get_history', kind: 'delay' });
    await looking.struck;
    // More than ten at once would become one summary post.
    for (let count = 0; count < 10; count += 1) {
      number += 1;
      await arrive(`sender-${number}@example.org`, ['x.txt']);
    }
    slack.addFault({ method: 'chat.postMessage', kind: 'rate-limited' });
    await looking.release();
    await until(() => newsIn(inbox).length === number + 1 || undefined, 'the wave to be posted', 60_000);
  }
  const senders = inbox.messages.flatMap(({ text }) => text.match(/sender-\d+@/) ?? []);
  expect(senders).toHaveLength(number);
  expect(new Set(senders).size).toBe(number);
  // Injected rate limits have the outcome `struck` and don't count.
  const refused = slack.calls.filter(({ error, outcome }) => error === 'ratelimited' && outcome === 'answered');
  expect(refused).toEqual([]);
}
