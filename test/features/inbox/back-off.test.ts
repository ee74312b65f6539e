import { expect, test } from 'vitest';
import { disconnect } from '../../../src/features/account/leave/operations.ts';
import { claimPolls, recordPollFailure } from '../../../src/features/inbox/poll/repository.ts';
import { resumePolling } from '../../../src/features/status/operations.ts';
import { pollStateOf } from '../../helpers/desks.ts';
import { failureOf } from '../../helpers/exchange.ts';
import { admin } from '../../helpers/features.ts';
import { everyMs, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

test('the poll interval of a failing account doubles up to an hour, with jitter', async () => {
  const { store } = await setUpInbox(postgres, { isWorking: false });
  const pauses: number[] = [];
  for (let failures = 0; failures < 12; failures += 1) {
    await store.pool.query('update dropline.polls set next_at = now()');
    const [claim] = await claimPolls(store.pool, 1);
    if (claim === undefined) throw new Error('no poll is due');
    expect(claim.failures).toBe(failures);
    await recordPollFailure(store.pool, claim, everyMs, 'unreachable');
    const { rows } = await store.pool.query(
      'select extract(epoch from next_at - last_at)::float8 * 1000 as pause from dropline.polls',
    );
    pauses.push(rows[0].pause);
  }
  pauses.forEach((pause, failures) => {
    const expected = Math.min(everyMs * 2 ** failures, 3_600_000);
    expect(pause).toBeGreaterThanOrEqual(expected * 0.749);
    expect(pause).toBeLessThanOrEqual(expected * 1.251);
  });
  const ratios = pauses.map((pause, failures) => pause / Math.min(everyMs * 2 ** failures, 3_600_000));
  expect(new Set(ratios.map((ratio) => ratio.toFixed(4))).size).toBeGreaterThan(6);
});

test('failures do not shorten a poll interval of more than an hour', async () => {
  const { store } = await setUpInbox(postgres, { isWorking: false });
  await store.pool.query('update dropline.polls set next_at = now()');
  const [claim] = await claimPolls(store.pool, 1);
  if (claim === undefined) throw new Error('no poll is due');
  const day = 86_400_000;
  await recordPollFailure(store.pool, claim, day, 'unreachable');
  const { nextAt } = (await pollStateOf(store, 'T1')) ?? {};
  expect(Number(nextAt)).toBeGreaterThan(Date.now() + 0.74 * day);
});

test('only the failing account backs off, and none of its items is missed', async () => {
  const { server, store, connectWorkspace, poll, pollAndAnnounce, arrive, untilDrained } = await setUpInbox(postgres);
  await connectWorkspace('T2');
  await pollAndAnnounce();
  const fault = server.addFault({
    operation: 'get_history',
    kind: 'answer',
    times: 1_000,
    answer: { status: 500, body: 'broken' },
  });
  await poll();
  fault.remove();
  const missed = await arrive();
  // T2 is due again; T1 is still backing off.
  await store.pool.query(`update dropline.polls set failures = 3, next_at = now() + interval '5 minutes'
     where workspace = 'T1'`);
  const other = await arrive('carl@example.org', ['a.pdf'], 't2@example.com');
  await store.pool.query(`update dropline.polls set next_at = now() where workspace = 'T2'`);
  expect(await claimPolls(store.pool, 10)).toMatchObject([{ workspace: 'T2', failures: 1 }]);
  await store.pool.query('update dropline.polls set leased_until = null');
  expect(urlsOf(await pollAndAnnounce()).sort()).toEqual([missed.url, other.url].sort());
  await untilDrained();
  expect(await pollStateOf(store, 'T1')).toMatchObject({ lastFailure: undefined });
  const { rows } = await store.pool.query('select failures from dropline.polls');
  expect(rows).toEqual([{ failures: 0 }, { failures: 0 }]);
});

test('refused credentials stop polling with one alarm until an admin resumes it', async () => {
  const { services, store, account, notifications, poll, pollAndAnnounce, arrive } = await setUpInbox(postgres);
  const { apiKey } = account;
  account.apiKey = 'another';
  account.tokens.splice(0);
  for (let count = 0; count < 3; count += 1) await poll();
  expect(notifications.alarms).toEqual([{ kind: 'credentials-refused' }]);
  expect(await pollStateOf(store, 'T1')).toMatchObject({
    pausedAt: expect.any(Date),
    lastFailure: 'credentials-refused',
  });
  const missed = await arrive();
  expect(await failureOf(resumePolling(services, admin))).toMatchObject({ code: 'credentials-refused' });
  expect(await pollAndAnnounce()).toEqual([]);
  account.apiKey = apiKey;
  await resumePolling(services, admin);
  expect(urlsOf(await pollAndAnnounce())).toEqual([missed.url]);
});

test('polling continues as long as no admin can be notified of refused credentials', async () => {
  const { services, store, account, poll } = await setUpInbox(postgres, { isWorking: false });
  account.apiKey = 'another';
  account.tokens.splice(0);
  const alarms: string[] = [];
  const alarm = async (_: object, { kind }: { kind: string }) => {
    alarms.push(kind);
    if (alarms.length === 1) throw new Error('Slack is unavailable');
  };
  const flakyServices = { ...services, notifier: { ...services.notifier, alarm } };
  await poll(flakyServices);
  expect(await pollStateOf(store, 'T1')).toMatchObject({ pausedAt: undefined });
  await store.pool.query(`update dropline.polls set leased_until = now() - interval '1 second'`);
  await poll(flakyServices);
  expect(alarms).toHaveLength(2);
  expect(await pollStateOf(store, 'T1')).toMatchObject({ pausedAt: expect.any(Date) });
});

test('a disconnected workspace is not polled and causes no alarm', async () => {
  const { services, store, server, notifications, poll, untilDrained } = await setUpInbox(postgres);
  await disconnect(services, admin);
  await poll();
  await untilDrained();
  const reads = server.calls.filter(({ operation }) => operation === 'get_history').length;
  await poll();
  expect(server.calls.filter(({ operation }) => operation === 'get_history')).toHaveLength(reads);
  expect(await pollStateOf(store, 'T1')).toBeUndefined();
  expect(notifications.alarms).toEqual([]);
});
