import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Services } from '../../../src/features/common/services.ts';
import { pollOnce } from '../../../src/features/inbox/poll/operations.ts';
import { type PollerOptions, startPoller } from '../../../src/features/inbox/poll/poller.ts';
import { claimPolls } from '../../../src/features/inbox/poll/repository.ts';
import { until } from '../../helpers/features.ts';
import { everyMs, type InboxSetup, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

const neverAborted = new AbortController().signal;

function startTestPoller(services: Services, options: PollerOptions) {
  const started = startPoller(services, { tickMs: 10, ...options });
  onTestFinished(() => started.stop());
  return started;
}

const countReads = ({ server }: InboxSetup, user?: string) =>
  server.calls.filter((call) => call.operation === 'get_history' && call.user === (user ?? call.user)).length;

const makeDue = ({ store }: InboxSetup) => store.pool.query('update dropline.polls set next_at = now()');

test('one poller has the claim at a time; a dead one loses it when its lease ends', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { store, services } = setup;
  await makeDue(setup);
  const died = Date.now();
  expect(await claimPolls(store.pool, 10, 2_000)).toHaveLength(1);
  expect(await claimPolls(store.pool, 10)).toEqual([]);
  const before = countReads(setup);
  startTestPoller(services, { everyMs });
  await until(() => countReads(setup) > before || undefined, 'the claim to be taken over');
  expect(Date.now() - died).toBeGreaterThanOrEqual(1_995);
});

test('a poll that outlives its lease records nothing once another poller has polled', async () => {
  const setup = await setUpInbox(postgres);
  const { server, store, services, arrive, poll, drained, newPosts } = setup;
  const item = await arrive();
  await makeDue(setup);
  const [claim] = await claimPolls(store.pool, 1, 1);
  if (claim === undefined) throw new Error('no poll is due');
  const slow = server.addFault({ operation: 'get_history', kind: 'delay' });
  const slowPoll = pollOnce(services, claim, everyMs, neverAborted);
  await slow.struck;
  await poll();
  const after = (await store.pool.query('select * from dropline.polls')).rows;
  await slow.release();
  await slowPoll;
  expect((await store.pool.query('select * from dropline.polls')).rows).toEqual(after);
  await drained();
  expect(urlsOf(newPosts())).toEqual([item.url]);
});

test('a stopped poller releases its claims at once', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { server, store, services } = setup;
  const hung = server.addFault({ operation: 'get_history', kind: 'hang' });
  await makeDue(setup);
  const { stop } = startTestPoller(services, { everyMs });
  await hung.struck;
  expect(await claimPolls(store.pool, 10)).toEqual([]);
  await stop();
  expect(await claimPolls(store.pool, 10)).toMatchObject([{ workspace: 'T1', failures: 0 }]);
});

test('a slow account delays no other account; polls stay within the parallel limit', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { store, connectWorkspace, otherServices, server } = setup;
  for (const workspace of ['T2', 'T3', 'T4', 'T5', 'T6']) await connectWorkspace(workspace);
  let running = 0;
  let maxRunning = 0;
  const counted = otherServices(store, (exchange) => ({
    ...exchange,
    async readInbox(options) {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await sleep(5);
      return exchange.readInbox(options).finally(() => {
        running -= 1;
      });
    },
  }));
  const slow = server.addFault({ operation: 'get_history', kind: 'hang' });
  await makeDue(setup);
  const before = countReads(setup);
  startTestPoller(counted, { everyMs: 40, parallel: 3 });
  await slow.struck;
  await until(() => countReads(setup) - before > 20 || undefined, 'polls of the other accounts');
  expect(maxRunning).toBe(3);
  const { rows } = await store.pool.query('select workspace from dropline.polls where last_at is null');
  expect(rows.length).toBeLessThanOrEqual(1);
});

test('two polling processes share one token, even after the service forgets it', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { account, services, openAnotherStore, otherServices, connectWorkspace } = setup;
  await connectWorkspace('T2', account.user);
  account.tokens.splice(0);
  const before = countReads(setup);
  for (const own of [services, otherServices(await openAnotherStore())]) startTestPoller(own, { everyMs: 20 });
  await until(() => countReads(setup) - before > 60 || undefined, '60 reads');
  expect(account.tokens).toHaveLength(1);
  const { calls } = setup.server;
  const recent = calls.slice(-30).filter(({ operation }) => operation === 'get_history');
  expect(new Set(recent.map(({ token }) => token)).size).toBe(1);
});

test('a poll without changes takes three statements besides its claim', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { store, services, arrive, poll } = setup;
  await arrive();
  await poll();
  await makeDue(setup);
  const [claim] = await claimPolls(store.pool, 1);
  if (claim === undefined) throw new Error('no poll is due');
  const statements = vi.spyOn(store.pool, 'query');
  const transactions = vi.spyOn(store.pool, 'connect');
  await pollOnce(services, claim, everyMs, neverAborted);
  const verbs = statements.mock.calls.map(([sql]) => String(sql).trim().split(/\s+/)[0]);
  expect(verbs).toEqual(['select', 'select', 'update']);
  // Each statement borrows its own connection.
  expect(transactions.mock.calls.length).toBeLessThanOrEqual(3);
});
