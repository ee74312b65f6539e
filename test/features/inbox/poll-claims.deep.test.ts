import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pollOnce } from '../../../src/features/inbox/poll/operations.ts';
import { claimPolls, recordPollSuccess, startPolling } from '../../../src/features/inbox/poll/repository.ts';
import { createLimiter } from '../../../src/lib/limiter.ts';
import { until } from '../../helpers/features.ts';
import { everyMs, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { countReads, makeDue, startTestPoller } from './poll-claims.ts';

const postgres = startTestPostgres();
const neverAborted = new AbortController().signal;

test('polls of 200 workspaces connected at the same time are spread over the interval', async () => {
  const { store } = await setUpInbox(postgres, { isWorking: false });
  const { pool } = store;
  for (let number = 0; number < 200; number += 1) await startPolling(pool, { workspace: `W${number}`, account: 'a' });
  const pollAll = async () => {
    const claims = await claimPolls(pool, 1_000);
    for (const claim of claims) await recordPollSuccess(pool, claim, everyMs, { digest: 'd' });
    return claims.length;
  };
  const pollTimes = async () => {
    const { rows } = await pool.query<{ workspace: string; at: number }>(
      `select workspace, extract(epoch from next_at)::float8 * 1000 as at from dropline.polls
       where workspace like 'W%' order by workspace`,
    );
    return rows.map(({ at }) => at);
  };
  expect(await pollAll()).toBe(200);
  const first = await pollTimes();
  const begin = Date.now() + everyMs / 2;
  const tenths = Array.from(
    { length: 10 },
    (_, tenth) => first.filter((at) => Math.floor(((at - begin) / everyMs) * 10) === tenth).length,
  );
  // Each tenth has 20 on average. About one run in a million is outside these bounds.
  expect(Math.min(...tenths)).toBeGreaterThan(2);
  expect(Math.max(...tenths)).toBeLessThan(50);
  // All workers were down for a while, so every workspace is more than two intervals late.
  await pool.query(`update dropline.polls set next_at = next_at - interval '4 minutes'`);
  const resumedAt = Date.now();
  await pollAll();
  const second = await pollTimes();
  second.forEach((at, index) => {
    const steps = (at - (first[index] ?? 0)) / everyMs;
    expect(Math.abs(steps - Math.round(steps))).toBeLessThan(0.001);
    expect(at).toBeGreaterThan(resumedAt);
    expect(at).toBeLessThan(Date.now() + everyMs);
  });
});

test('a poll over its lease records nothing once another poller has polled', async () => {
  const setup = await setUpInbox(postgres);
  const { server, store, services, arrive, poll, untilDrained, takeNewPosts } = setup;
  const item = await arrive();
  await makeDue(setup);
  const [claim] = await claimPolls(store.pool, 1, { leaseMs: 1 });
  if (claim === undefined) throw new Error('no poll is due');
  const slow = server.addFault({ operation: 'get_history', kind: 'delay' });
  const slowPoll = pollOnce(services, claim, everyMs, neverAborted);
  await slow.triggered;
  await poll();
  const after = (await store.pool.query('select * from dropline.polls')).rows;
  await slow.release();
  await slowPoll;
  expect((await store.pool.query('select * from dropline.polls')).rows).toEqual(after);
  await untilDrained();
  expect(urlsOf(takeNewPosts())).toEqual([item.url]);
});

test("a host that hangs doesn't keep others from being polled", async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { server, store, services, connectWorkspace } = setup;
  for (const workspace of ['T2', 'T3', 'T4']) await connectWorkspace(workspace);
  await makeDue(setup);
  server.addFault({ operation: 'get_history', kind: 'hang', times: 4 });
  await startPolling(store.pool, { workspace: 'T9', account: 'https://other.example/acme' });
  const before = countReads(setup);
  startTestPoller(services, { everyMs, parallel: 4, perHost: 2, claimed: 1 });
  const otherIsPolled = async () => {
    const { rowCount } = await store.pool.query(
      "select from dropline.polls where workspace = 'T9' and last_at is not null",
    );
    return rowCount === 1 || undefined;
  };
  await until(otherIsPolled, 'the poll of the other host');
  expect(countReads(setup) - before).toBe(2);
});

test('inboxes that have changed are in memory only a few at a time', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { store, otherServices, connectWorkspace, arrive } = setup;
  for (const workspace of ['T2', 'T3', 'T4']) await connectWorkspace(workspace);
  await arrive();
  await makeDue(setup);
  let held = 0;
  let most = 0;
  const countingServices = otherServices(store, (exchange) => ({
    ...exchange,
    async readInbox(options) {
      const inbox = await exchange.readInbox(options);
      held += 1;
      most = Math.max(most, held);
      await sleep(30);
      held -= 1;
      return inbox;
    },
  }));
  startTestPoller({ ...countingServices, changedInboxes: createLimiter(1) }, { everyMs });
  const areAllPolled = async () => {
    const { rowCount } = await store.pool.query('select from dropline.polls where next_at <= now()');
    return rowCount === 0 || undefined;
  };
  await until(areAllPolled, 'all polls');
  expect(most).toBe(1);
});

test('when a poller stops, it releases its claimed polls immediately', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { server, store, services } = setup;
  const hung = server.addFault({ operation: 'get_history', kind: 'hang' });
  await makeDue(setup);
  const { stop } = startTestPoller(services, { everyMs });
  await hung.triggered;
  expect(await claimPolls(store.pool, 10)).toEqual([]);
  await stop();
  expect(await claimPolls(store.pool, 10)).toMatchObject([{ workspace: 'T1', failures: 0 }]);
});

test('two polling processes share one token, even after the service forgets it', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { account, services, openAnotherStore, otherServices, connectWorkspace } = setup;
  await connectWorkspace('T2', account.user);
  account.tokens.splice(0);
  const before = countReads(setup);
  for (const each of [services, otherServices(await openAnotherStore())]) startTestPoller(each, { everyMs: 20 });
  await until(() => countReads(setup) - before > 60 || undefined, '60 reads');
  expect(account.tokens).toHaveLength(1);
  const { calls } = setup.server;
  const recent = calls.slice(-30).filter(({ operation }) => operation === 'get_history');
  expect(new Set(recent.map(({ token }) => token)).size).toBe(1);
});
