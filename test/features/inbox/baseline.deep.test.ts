import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ExchangeError } from '../../../src/exchange/index.ts';
import { connect } from '../../../src/features/account/connect/operations.ts';
import { disconnect } from '../../../src/features/account/leave/operations.ts';
import { itemSync } from '../../../src/features/inbox/items/sync.ts';
import { claimPolls, recordPollSuccess } from '../../../src/features/inbox/poll/repository.ts';
import type { Desk } from '../../../src/store/index.ts';
import { inTransaction } from '../../../src/store/index.ts';
import { deskOf, pollStateOf } from '../../helpers/desks.ts';
import { apiKey, user } from '../../helpers/exchange.ts';
import { admin } from '../../helpers/features.ts';
import { everyMs, type InboxSetup, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();
const other = 'other@example.com';

const reconnect = ({ services, server }: InboxSetup, username = user) =>
  connect(services, admin, { baseUrl: server.url, username, apiKey });

test('existing items become a summary even if a poll runs while the account connects', async () => {
  const { server, store, services, arrive, pollAndAnnounce, poll } = await setUpInbox(postgres);
  server.addAccount({ user: other, apiKey });
  await arrive('carl@example.org', ['a.pdf'], other);
  const login = { baseUrl: server.url, username: other, apiKey };
  const { account: replaced } = await deskOf(store, 'T1');
  await store.credentials.set('T1', { ...login, connectedBy: admin.person, connectedAt: Date.now() }, { replaced });
  await poll();
  await connect(services, admin, login);
  expect(await pollAndAnnounce()).toEqual([{ kind: 'baseline', workspace: 'T1', items: [], count: 1 }]);
});

test('if a poll fails with a replaced API key, polling continues', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { store, notifications, poll, otherServices } = setup;
  const refusedLate = otherServices(store, (exchange) => ({
    ...exchange,
    async readInbox() {
      await reconnect(setup);
      throw new ExchangeError('credentials-refused', 'The service does not accept this account or API key.');
    },
  }));
  await poll(refusedLate);
  expect(await pollStateOf(store, 'T1')).toMatchObject({ pausedAt: undefined, lastFailure: undefined });
  expect(notifications.alarms).toEqual([]);
});

test('if a workspace connects during a poll without credentials, polling continues', async () => {
  const setup = await setUpInbox(postgres);
  const { store, services, poll, pollAndAnnounce, arrive } = setup;
  const stored = await store.credentials.get({ workspace: 'T1' });
  await store.credentials.delete(await deskOf(store, 'T1'));
  const get = store.credentials.get.bind(store.credentials);
  const lateServices = {
    ...services,
    store: {
      ...store,
      credentials: {
        ...store.credentials,
        async get(desk: Desk) {
          const found = await get(desk);
          if (stored !== undefined) await store.credentials.set(desk.workspace, stored);
          await reconnect(setup);
          return found;
        },
      },
    },
  };
  await poll(lateServices);
  const item = await arrive();
  expect(urlsOf(await pollAndAnnounce())).toEqual([item.url]);
});

test('on a reconnect before the cleanup, the inbox stays and waiting items are posted', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { services, startWorker, arrive, poll, posts, pollAndAnnounce } = setup;
  await arrive();
  await poll();
  await disconnect(services, admin);
  const late = await arrive();
  await poll();
  expect(await pollStateOf(setup.store, 'T1')).toMatchObject({ lastFailure: 'not-connected' });
  await reconnect(setup);
  await startWorker();
  await pollAndAnnounce();
  expect(posts.filter(({ kind }) => kind === 'baseline')).toHaveLength(1);
  expect(urlsOf(posts)).toHaveLength(2);
  expect(urlsOf(posts)).toContain(late.url);
});

test("items that couldn't be announced are announced after a reconnect", async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { store, startWorker, arrive, poll, pollAndAnnounce } = setup;
  const item = await arrive();
  await poll();
  // The state after the last attempt of the job failed.
  await store.pool.query('delete from graphile_worker._private_jobs');
  await startWorker();
  expect(await pollAndAnnounce()).toEqual([]);
  await reconnect(setup);
  expect(urlsOf(await pollAndAnnounce())).toEqual([item.url]);
});

test("the first summary doesn't count items that are announced individually", async () => {
  const { startWorker, arrive, pollAndAnnounce } = await setUpInbox(postgres, { isWorking: false });
  const late = await arrive();
  await startWorker();
  expect(await pollAndAnnounce()).toMatchObject([
    { kind: 'baseline', count: 0 },
    { kind: 'item', items: [{ url: late.url }] },
  ]);
});

test('announcing continues after a reconnect, unless the account has changed', async () => {
  const setup = await setUpInbox(postgres);
  const { server, arrive, pollAndAnnounce } = setup;
  const first = [await arrive(), await arrive()];
  setup.beforePost = async () => {
    setup.beforePost = () => {};
    await reconnect(setup);
  };
  expect(urlsOf(await pollAndAnnounce())).toEqual(first.map(({ url }) => url));
  server.addAccount({ user: other, apiKey });
  const second = [await arrive(), await arrive()];
  setup.beforePost = async () => {
    setup.beforePost = () => {};
    await reconnect(setup, other);
  };
  expect(urlsOf(await pollAndAnnounce())).toEqual([second[0]?.url]);
});

test('if a poll ends while its workspace is deleted, no inbox items are left', async () => {
  const { server, store, arrive } = await setUpInbox(postgres, { isWorking: false });
  const { sender, url } = await arrive();
  await store.pool.query('update dropline.polls set next_at = now()');
  const [claim] = await claimPolls(store.pool, 1);
  if (claim === undefined) throw new Error('no poll is due');
  const account = `${server.url}/${user}`;
  const deletion = await inTransaction(store.pool, async (client) => {
    const item = { url, sender, createdAt: undefined, expiresAfter: undefined, files: [] };
    await itemSync(store, 'T1', account).record(client, [item], false, () => ['admins']);
    await recordPollSuccess(client, claim, everyMs, { digest: 'd' });
    const purging = store.purgeWorkspace('T1');
    await sleep(100);
    return { purging };
  });
  await deletion.purging;
  expect((await store.pool.query('select from dropline.inbox_items')).rows).toEqual([]);
});
