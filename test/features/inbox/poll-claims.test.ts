import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createUnchangedRecorder, pollOnce } from '../../../src/features/inbox/poll/operations.ts';
import { claimPolls, startPolling } from '../../../src/features/inbox/poll/repository.ts';
import type { Store } from '../../../src/store/index.ts';
import { until } from '../../helpers/features.ts';
import { everyMs, setUpInbox } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { countReads, makeDue, startTestPoller } from './poll-claims.ts';

const postgres = startTestPostgres();
const neverAborted = new AbortController().signal;

test('a poll has one poller at a time; when the lease ends, another poller takes over', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { store, services } = setup;
  await makeDue(setup);
  const claimedAt = Date.now();
  expect(await claimPolls(store.pool, 10, { leaseMs: 700 })).toHaveLength(1);
  expect(await claimPolls(store.pool, 10)).toEqual([]);
  const before = countReads(setup);
  startTestPoller(services, { everyMs });
  await until(() => countReads(setup) > before || undefined, 'the claim to be taken over');
  expect(Date.now() - claimedAt).toBeGreaterThanOrEqual(695);
});

test('a slow account delays no other account; the limit on concurrent polls applies', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { store, connectWorkspace, otherServices, server } = setup;
  for (const workspace of ['T2', 'T3', 'T4', 'T5', 'T6']) await connectWorkspace(workspace);
  let running = 0;
  let maxRunning = 0;
  const countingServices = otherServices(store, (exchange) => ({
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
  startTestPoller(countingServices, { everyMs: 40, parallel: 3 });
  await slow.triggered;
  await until(() => countReads(setup) - before > 20 || undefined, 'polls of the other accounts');
  expect(maxRunning).toBe(3);
  const { rows } = await store.pool.query('select workspace from dropline.polls where last_at is null');
  expect(rows.length).toBeLessThanOrEqual(1);
});

/** Six workspaces whose polls are due. They were polled before and haven't changed since. */
async function setUpUnchanged() {
  const setup = await setUpInbox(postgres, { isWorking: false });
  for (const workspace of ['T2', 'T3', 'T4', 'T5', 'T6']) await setup.connectWorkspace(workspace);
  await setup.arrive();
  await setup.poll();
  await makeDue(setup);
  return setup;
}

async function claimUnchanged() {
  const setup = await setUpUnchanged();
  return { ...setup, claims: await claimPolls(setup.store.pool, 10) };
}

function spyOnStatements({ pool }: Store) {
  const statements = vi.spyOn(pool, 'query');
  onTestFinished(() => statements.mockRestore());
  return statements;
}

test('six unchanged polls that start together use three SQL statements', async () => {
  const { store, services, claims } = await claimUnchanged();
  const record = createUnchangedRecorder(services, everyMs);
  const statements = spyOnStatements(store);
  const transactions = vi.spyOn(store.pool, 'connect');
  await Promise.all(claims.map((claim) => pollOnce(services, claim, everyMs, neverAborted, record)));
  const verbs = statements.mock.calls.map(([sql]) => String(sql).trim().split(/\s+/)[0]);
  expect(claims).toHaveLength(6);
  expect(verbs).toEqual(['select', 'select', 'update']);
  // Each statement borrows its own connection.
  expect(transactions.mock.calls.length).toBeLessThanOrEqual(3);
  expect(await claimPolls(store.pool, 10)).toEqual([]);
});

test('if a workspace reconnects during an unchanged poll, it is polled again at once', async () => {
  const { store, services, claims } = await claimUnchanged();
  const record = createUnchangedRecorder(services, everyMs);
  const polls = claims.map((claim) => pollOnce(services, claim, everyMs, neverAborted, record));
  const reconnected = claims.find(({ workspace }) => workspace === 'T3');
  await startPolling(store.pool, { workspace: 'T3', account: reconnected?.account ?? '' });
  await Promise.all(polls);
  expect(await claimPolls(store.pool, 10)).toMatchObject([{ workspace: 'T3', digest: undefined, failures: 0 }]);
});

test('a poll that is only being recorded is not one of the concurrent polls', async () => {
  const { store, services } = await setUpUnchanged();
  const statements = spyOnStatements(store);
  const recordedCounts = () => {
    const calls = statements.mock.calls as unknown as [sql: string, values: string[][]][];
    return calls.flatMap(([sql, [workspaces = []]]) => (sql.includes('as ended') ? [workspaces.length] : []));
  };
  startTestPoller(services, { everyMs: 60_000, parallel: 1 });
  await until(() => recordedCounts().reduce((sum, count) => sum + count, 0) === 6 || undefined, 'six polls');
  expect(recordedCounts().length).toBeLessThan(6);
});

test('polls wait while too many others are being recorded', async () => {
  const { store, otherServices } = await setUpUnchanged();
  const unlocks: (() => void)[] = [];
  const unlockAll = () => {
    for (const unlock of unlocks.splice(0)) unlock();
  };
  /** Locks the rows of claimed polls, so that recording one waits. */
  const lockClaimed = async () => {
    const client = await store.pool.connect();
    await client.query('begin');
    await client.query('select from dropline.polls where leased_until is not null for update skip locked');
    unlocks.push(() => void client.query('rollback').finally(() => client.release()));
  };
  const lockingServices = otherServices(store, (exchange) => ({
    ...exchange,
    readInbox: async (options) => {
      await lockClaimed();
      return exchange.readInbox(options);
    },
  }));
  startTestPoller(lockingServices, { everyMs: 60_000, parallel: 1, maxRunning: 2 });
  onTestFinished(unlockAll);
  await until(() => unlocks.length === 2 || undefined, 'two polls');
  await sleep(200);
  expect(unlocks).toHaveLength(2);
  const areAllRecorded = async () => {
    unlockAll();
    const { rowCount } = await store.pool.query('select from dropline.polls where next_at <= now()');
    return rowCount === 0 || undefined;
  };
  await until(areAllRecorded, 'all polls');
});
