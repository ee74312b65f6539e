import { expect, test } from 'vitest';
import { anna, until } from '../../helpers/features.ts';
import { listInbox, setUpInbox } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

const emptyHistory = JSON.stringify({ history: [], live_drops: '0', inbox: [] });

test('each item is announced once, oldest first, with its sender, files and dates', async () => {
  const { arrive, pollAndAnnounce } = await setUpInbox(postgres);
  const first = await arrive('carl@example.org', ['a.pdf', 'b.pdf']);
  const second = await arrive('stranger@example.net', ['c.pdf']);
  expect(await pollAndAnnounce()).toEqual([
    {
      kind: 'item',
      workspace: 'T1',
      requestMatch: { kind: 'unrequested', requests: [] },
      items: [
        {
          url: first.url,
          sender: 'carl@example.org',
          createdAt: Math.floor(first.createdAt / 1000),
          expiresAfter: '7',
          files: ['a.pdf', 'b.pdf'],
          foundAt: expect.any(Number),
          firstSeen: expect.any(Number),
          downloads: [],
          isGone: false,
          belongsTo: ['admins'],
        },
      ],
    },
    expect.objectContaining({ kind: 'item', items: [expect.objectContaining({ url: second.url, files: ['c.pdf'] })] }),
  ]);
  expect(await pollAndAnnounce()).toEqual([]);
});

test('an empty answer, another order or a returning item causes no announcement', async () => {
  const { arrive, pollAndAnnounce, account, server, services } = await setUpInbox(postgres);
  const announcements = async () => (await pollAndAnnounce()).filter(({ kind }) => kind !== 'changed');
  for (let count = 0; count < 3; count += 1) await arrive();
  expect(await announcements()).toHaveLength(3);
  server.addFault({
    operation: 'get_history',
    kind: 'answer',
    answer: { headers: { 'content-type': 'application/json' }, body: emptyHistory },
  });
  expect(await announcements()).toEqual([]);
  expect(await announcements()).toEqual([]);
  account.inbox.reverse();
  expect(await announcements()).toEqual([]);
  const gone = account.inbox.splice(1, 1);
  expect(await announcements()).toEqual([]);
  expect(await listInbox(services, anna)).toHaveLength(2);
  account.inbox.unshift(...gone);
  expect(await announcements()).toEqual([]);
  expect(await listInbox(services, anna)).toHaveLength(3);
});

test('an item that disappears is shown as gone, and as available when it returns', async () => {
  const { arrive, pollAndAnnounce, account } = await setUpInbox(postgres);
  const { url } = await arrive();
  await pollAndAnnounce();
  const gone = account.inbox.splice(0);
  expect(await pollAndAnnounce()).toMatchObject([{ kind: 'changed', items: [{ url, isGone: true }] }]);
  expect(await pollAndAnnounce()).toEqual([]);
  account.inbox.push(...gone);
  expect(await pollAndAnnounce()).toMatchObject([{ kind: 'changed', items: [{ url, isGone: false }] }]);
});

test('items that disappear one after the other are shown as gone, each after its pause', async () => {
  const { arrive, pollAndAnnounce, poll, account, services, store, takeNewPosts, untilDrained } =
    await setUpInbox(postgres);
  const [first, second] = [await arrive(), await arrive()];
  await pollAndAnnounce();
  services.timing = { ...services.timing, gonePauseMs: 60_000 };
  const dueTimes = async () => (await store.pool.query('select run_at from graphile_worker.jobs')).rows;
  account.inbox.splice(0, 1);
  await poll();
  const due = await dueTimes();
  account.inbox.splice(0, 1);
  await poll();
  expect(await dueTimes()).toEqual(due);
  for (const { url } of [first, second]) {
    await store.pool.query(`update dropline.inbox_items set gone_at = now() - interval '1 minute' where url = $1`, [
      url,
    ]);
    const posts = await until(async () => {
      await store.pool.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null');
      const shown = takeNewPosts();
      return shown.length > 0 ? shown : undefined;
    }, 'the updated post');
    expect(posts).toMatchObject([{ kind: 'changed', items: [{ url, isGone: true }] }]);
  }
  await untilDrained();
});

test('an item whose pause ends while another post is updated is shown as gone', async () => {
  const { arrive, pollAndAnnounce, poll, account, services, store, takeNewPosts, untilDrained } =
    await setUpInbox(postgres);
  const [first, second] = [await arrive(), await arrive()];
  await pollAndAnnounce();
  services.timing = { ...services.timing, gonePauseMs: 60_000 };
  const endPause = (url: string) =>
    store.pool.query(`update dropline.inbox_items set gone_at = now() - interval '1 minute' where url = $1`, [url]);
  const { announcer } = services;
  services.announcer = {
    ...announcer,
    async updatePost(...post) {
      await endPause(second.url);
      await announcer.updatePost(...post);
    },
  };
  account.inbox.splice(0, 2);
  await poll();
  await endPause(first.url);
  const posts: unknown[] = [];
  await until(async () => {
    await store.pool.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null');
    posts.push(...takeNewPosts());
    return posts.length === 2 ? true : undefined;
  }, 'both posts to be updated');
  await untilDrained();
});

test('if an announced item gets more files, its post is updated, with no second post', async () => {
  const { arrive, pollAndAnnounce, account } = await setUpInbox(postgres);
  const item = await arrive('carl@example.org', ['a.pdf']);
  await pollAndAnnounce();
  account.inbox[0]?.files.push({ name: 'late.pdf', type: 'application/pdf', bytes: 1, sha256: '' });
  const posts = await pollAndAnnounce();
  expect(posts).toMatchObject([{ kind: 'changed', items: [{ url: item.url, files: ['a.pdf', 'late.pdf'] }] }]);
  expect(await pollAndAnnounce()).toEqual([]);
});

test.each(['created', 'updated'])(
  'if files are added while a post is being %s, they appear in its next update',
  async (when) => {
    const setup = await setUpInbox(postgres);
    const { arrive, pollAndAnnounce, poll, account, posts } = setup;
    const add = (name: string) => account.inbox[0]?.files.push({ name, type: '', bytes: 1, sha256: '' });
    const item = await arrive('carl@example.org', ['a.pdf']);
    if (when === 'updated') {
      await pollAndAnnounce();
      add('b.pdf');
    }
    setup.beforePost = async () => {
      setup.beforePost = () => {};
      add('late.pdf');
      await poll();
    };
    await pollAndAnnounce();
    await pollAndAnnounce();
    const [before, after] = posts.slice(-2);
    expect(before).toMatchObject({ kind: when === 'created' ? 'item' : 'changed', items: [{ url: item.url }] });
    expect(before?.items[0]?.files).not.toContain('late.pdf');
    expect(after).toMatchObject({ kind: 'changed', items: [{ url: item.url }] });
    expect(after?.items[0]?.files).toContain('late.pdf');
  },
);
