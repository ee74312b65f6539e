import { expect } from 'vitest';
import { until } from '../helpers/features.ts';
import { newsIn, setUpInboxApp } from '../helpers/inbox-app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** 500 items at once are one post, however busy Slack is; the list behind it has each of them once. */
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
 * What comes in waves is posted at the pace that Slack allows: nothing is refused, lost or posted twice. Slack's seconds
 * are shorter by `speed`; their proportions stay.
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
    // Ten are the most that are posted one by one.
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
  // But for what the story itself put in the way.
  const refused = slack.calls.filter(({ error, outcome }) => error === 'ratelimited' && outcome === 'answered');
  expect(refused).toEqual([]);
}
