import { expect, test } from 'vitest';
import { connect } from '../../../src/features/account/connect/operations.ts';
import { disconnect } from '../../../src/features/account/leave/operations.ts';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import { runJobsNow } from '../../helpers/contacts.ts';
import { apiKey, user } from '../../helpers/exchange.ts';
import { admin, bo, until } from '../../helpers/features.ts';
import { type InboxSetup, listInbox, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { inboxChannel } from '../../helpers/inbox-channels.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();
const other = 'other@example.com';

const reconnect = ({ services, server }: InboxSetup, username = user) =>
  connect(services, admin, { baseUrl: server.url, username, apiKey });

test('items present before connecting become one summary and are listed newest first', async () => {
  const { server, services, connectWorkspace, pollAndAnnounce, arrive } = await setUpInbox(postgres);
  const { inbox } = server.addAccount({ user: other, apiKey });
  for (let count = 0; count < 12; count += 1) await arrive('carl@example.org', ['a.pdf'], other);
  inbox.forEach((item, index) => {
    item.createdAt = 1_700_000_000_000 + ((index * 5) % 12) * 1000;
  });
  const actor = { workspace: 'T2', person: admin.person };
  await connect(services, actor, { baseUrl: server.url, username: other, apiKey });
  expect(await pollAndAnnounce()).toEqual([{ kind: 'baseline', workspace: 'T2', items: [], count: 12 }]);
  const newest = inbox.toSorted((one, another) => another.createdAt - one.createdAt).map(({ url }) => url);
  expect((await listInbox(services, actor, { limit: 5 })).map(({ url }) => url)).toEqual(newest.slice(0, 5));
  expect((await listInbox(services, actor, { limit: 5, offset: 10 })).map(({ url }) => url)).toEqual(newest.slice(10));
  const late = await arrive('carl@example.org', ['b.pdf'], other);
  expect(await pollAndAnnounce()).toMatchObject([{ kind: 'item', workspace: 'T2', items: [{ url: late.url }] }]);
  await connectWorkspace('T3');
  expect(await pollAndAnnounce()).toEqual([{ kind: 'baseline', workspace: 'T3', items: [], count: 0 }]);
});

test('reconnecting the same account announces only the items that arrived since', async () => {
  const setup = await setUpInbox(postgres);
  const { arrive, pollAndAnnounce } = setup;
  await arrive();
  await pollAndAnnounce();
  await reconnect(setup);
  expect(await pollAndAnnounce()).toEqual([]);
  const late = await arrive();
  await reconnect(setup);
  expect(urlsOf(await pollAndAnnounce())).toEqual([late.url]);
});

test('each account gets its own summary, and a new one when it is connected again', async () => {
  const setup = await setUpInbox(postgres);
  const { arrive, pollAndAnnounce, server } = setup;
  await arrive();
  await pollAndAnnounce();
  server.addAccount({ user: other, apiKey });
  await arrive('carl@example.org', ['a.pdf'], other);
  await arrive('carl@example.org', ['b.pdf'], other);
  await reconnect(setup, other);
  expect(await pollAndAnnounce()).toEqual([{ kind: 'baseline', workspace: 'T1', items: [], count: 2 }]);
  await arrive();
  await reconnect(setup);
  expect(await pollAndAnnounce()).toEqual([{ kind: 'baseline', workspace: 'T1', items: [], count: 2 }]);
  const late = await arrive();
  expect(urlsOf(await pollAndAnnounce())).toEqual([late.url]);
});

test('reconnecting a former account posts one summary and updates old posts', async () => {
  const setup = await setUpInbox(postgres);
  const { arrive, pollAndAnnounce, server, account, store } = setup;
  const { url } = await arrive();
  await pollAndAnnounce();
  server.addAccount({ user: other, apiKey });
  await reconnect(setup, other);
  await pollAndAnnounce();
  await store.sweep();
  account.inbox.splice(0);
  await reconnect(setup);
  let failures = 0;
  setup.beforePost = ({ kind }) => {
    if (kind !== 'changed' || failures === 1) return;
    failures += 1;
    throw new Error('slack is down');
  };
  await setup.poll();
  await until(async () => {
    await runJobsNow(setup.services);
    return (await setup.queue.size()) === 0 || undefined;
  }, 'the failed update to be repeated');
  expect(setup.takeNewPosts()).toMatchObject([
    { kind: 'baseline', count: 0 },
    { kind: 'changed', items: [{ url, isGone: true }] },
  ]);
});

test('connecting a former account assigns its items anew and tells the known admins', async () => {
  const setup = await setUpInbox(postgres);
  const { services, server, store, arrive, pollAndAnnounce, notifications, roles } = setup;
  roles.set(bo.person, 'admin');
  const { url, sender = '' } = await arrive();
  await pollAndAnnounce();
  const ownersOf = async () =>
    (await store.pool.query('select belongs_to from dropline.inbox_items where url = $1', [url])).rows[0]?.belongs_to;
  expect(await ownersOf()).toEqual(['admins']);
  await changeSettings(services, admin, { inboxChannels: [inboxChannel('C1', { senders: [sender] })] });
  // A new key for the same account changes nothing.
  await reconnect(setup);
  await pollAndAnnounce();
  expect(await ownersOf()).toEqual(['admins']);
  server.addAccount({ user: other, apiKey });
  await reconnect(setup, other);
  await pollAndAnnounce();
  notifications.admins.splice(0);
  await connect(services, bo, { baseUrl: server.url, username: user, apiKey });
  expect(await ownersOf()).toEqual([]);
  await pollAndAnnounce();
  expect(await ownersOf()).toEqual(['C1']);
  expect(notifications.admins).toMatchObject([
    {
      changes: [
        [expect.stringContaining('connected another account')],
        [expect.stringContaining('channels of their senders')],
      ],
    },
  ]);
});

test('if another account is connected during a poll, that poll records nothing', async () => {
  const setup = await setUpInbox(postgres);
  const { server, store, arrive, poll, pollAndAnnounce } = setup;
  server.addAccount({ user: other, apiKey });
  await arrive();
  const slow = server.addFault({ operation: 'get_history', kind: 'delay' });
  const polling = poll();
  await slow.triggered;
  await reconnect(setup, other);
  await slow.release();
  await polling;
  const { rows } = await store.pool.query('select account, digest from dropline.polls');
  expect(rows).toEqual([{ account: `${server.url}/${other}`, digest: null }]);
  expect((await store.pool.query('select from dropline.inbox_items')).rows).toEqual([]);
  expect(await pollAndAnnounce()).toEqual([{ kind: 'baseline', workspace: 'T1', items: [], count: 0 }]);
});

test('announcing stops before the next post when the workspace disconnects', async () => {
  const setup = await setUpInbox(postgres);
  const { services, store, arrive, poll, posts } = setup;
  await arrive();
  await arrive();
  const before = posts.length;
  setup.beforePost = () => disconnect(services, admin);
  await poll();
  await until(
    async () => ((await store.credentials.get({ workspace: 'T1' })) === undefined ? true : undefined),
    'the workspace to be deleted',
  );
  await setup.untilDrained();
  expect(posts.length - before).toBe(1);
  expect((await store.pool.query('select from dropline.inbox_items')).rows).toEqual([]);
});
