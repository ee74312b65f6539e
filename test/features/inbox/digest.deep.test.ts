import { expect, onTestFinished, test } from 'vitest';
import type { InboxChannel } from '../../../src/features/settings/inbox-channels.ts';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import { transfersIn } from '../../../src/features/transfers/repository.ts';
import { laterDigest, skipDay } from '../../helpers/digests.ts';
import { user } from '../../helpers/exchange.ts';
import { admin, anna, until } from '../../helpers/features.ts';
import { type InboxSetup, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { changeInboxChannel, inboxChannel } from '../../helpers/inbox-channels.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { usePrograms } from '../../helpers/program.ts';
import { createRandom } from '../../helpers/seeded.ts';
import { insertTransfer, requestContent, stepsToSent, takeSteps } from '../../helpers/transfers.ts';
import { startInboxWorker } from '../../programs/inbox.ts';
import { setUpInboxWorkers, timesPosted } from './announce-once.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

const [inboxId, netId] = ['C-INBOX', 'C-NET'];
const forNet = { senders: ['example.net'] };

/** Sets up two inbox channels, both with a daily digest. */
async function setUpDigests() {
  const setup = await setUpInbox(postgres);
  const { services, store, poll, takeNewPosts } = setup;
  const inboxChannels = [inboxChannel(inboxId, laterDigest()), inboxChannel(netId, { ...forNet, ...laterDigest() })];
  await changeSettings(services, admin, { inboxChannels });
  /** Resolves when no job is left except the next digest. */
  const idle = () =>
    until(async () => {
      const sql = `select from graphile_worker.jobs where coalesce(key, '') not like 'announce:% digest'`;
      return (await store.pool.query(sql)).rowCount === 0 || undefined;
    }, 'all jobs to be done');
  const pollAndWait = async () => {
    await poll();
    await idle();
    return takeNewPosts();
  };
  const postDigests = async () => {
    await skipDay(store.pool);
    await idle();
    await setup.untilDrained();
    return takeNewPosts();
  };
  return Object.assign(setup, { idle, pollAndWait, postDigests });
}

const postRows = (posts: InboxSetup['posts']) =>
  posts.map(({ kind, channel, isDigest = false, items }) => [kind, channel, isDigest, items.length]);

test('each channel gets one digest with all items that arrived since the last one', async () => {
  const { arrive, pollAndWait, postDigests, store } = await setUpDigests();
  const first = [await arrive('carl@example.org'), await arrive('dora@example.net')];
  expect(await pollAndWait()).toEqual([]);
  const second = [await arrive('emil@example.com')];
  expect(await pollAndWait()).toEqual([]);
  const posts = await postDigests();
  expect(postRows(posts).sort()).toEqual([
    ['item', inboxId, true, 2],
    ['item', netId, true, 1],
  ]);
  expect(urlsOf(posts).sort()).toEqual([...first, ...second].map(({ url }) => url).sort());
  expect(await postDigests()).toEqual([]);
  expect((await store.pool.query('select from dropline.inbox_items where announced_at is null')).rowCount).toBe(0);
});

/** Inserts a request to Carl that was sent. */
async function insertRequest({ store, server }: InboxSetup): Promise<string> {
  const account = `${server.url}/${user}`;
  const id = await insertTransfer(store, { workspace: 'T1', account, person: anna.person, content: requestContent() });
  await transfersIn(store).updateLocations(id, () => ({ card: { channel: 'D1', ts: id } }));
  await takeSteps(store, id, stepsToSent);
  return id;
}

test('a reply to a request is posted immediately; earlier and other items wait', async () => {
  const setup = await setUpDigests();
  const { arrive, pollAndWait, postDigests } = setup;
  const earlier = await arrive('carl@example.org');
  expect(await pollAndWait()).toEqual([]);
  const id = await insertRequest(setup);
  const reply = [await arrive('carl@example.org'), await arrive('carl@example.org')];
  const other = await arrive('stranger@example.com');
  const posts = await pollAndWait();
  expect(postRows(posts)).toEqual([['item', inboxId, false, 2]]);
  expect(urlsOf(posts)).toEqual(reply.map(({ url }) => url));
  expect(posts[0]?.requestMatch).toMatchObject({ kind: 'reply', requests: [{ id }] });
  expect(urlsOf(await postDigests())).toEqual([earlier.url, other.url]);
});

const daily = inboxChannel(inboxId, laterDigest());
const changes: [string, InboxChannel[], unknown[]][] = [
  ['it posts every item', [daily, inboxChannel(netId, forNet)], ['item', netId, false, 2]],
  ['it is removed, and the other one posts every item', [inboxChannel(inboxId)], ['item', inboxId, false, 2]],
  ['its sender moves to another channel', [daily, inboxChannel('C-OTHER', forNet)], ['item', 'C-OTHER', false, 2]],
  [
    'everything else moves to another channel, and its sender is removed',
    [inboxChannel('C-OTHER'), inboxChannel(inboxId, { senders: ['lab.example'], ...laterDigest() })],
    ['item', 'C-OTHER', false, 2],
  ],
  ['no channel is left', [], ['item', undefined, false, 2]],
];

test.each(changes)(
  "a channel's waiting items are posted immediately and only once if %s",
  async (_, inboxChannels, expected) => {
    const { arrive, pollAndWait, idle, takeNewPosts, services, postDigests } = await setUpDigests();
    await arrive('dora@example.net');
    await arrive('dora@example.net');
    expect(await pollAndWait()).toEqual([]);
    await changeSettings(services, admin, { inboxChannels });
    await idle();
    expect(postRows(takeNewPosts())).toEqual([expected]);
    expect(await postDigests()).toEqual([]);
  },
);

test('an item that could not be posted waits for the daily post after a change to it', async () => {
  const setup = await setUpDigests();
  const { arrive, poll, services, store, idle, takeNewPosts, postDigests } = setup;
  await changeInboxChannel(services, admin, inboxId, { posts: 'each' });
  let attempts = 0;
  setup.beforePost = () => {
    attempts += 1;
    throw new Error('Slack is down');
  };
  const { url } = await arrive();
  await poll();
  await until(async () => attempts > 0 || undefined, 'the failed post');
  await changeInboxChannel(services, admin, inboxId, laterDigest());
  setup.beforePost = () => {};
  await store.pool.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null');
  await idle();
  expect(takeNewPosts()).toEqual([]);
  expect(urlsOf(await postDigests())).toEqual([url]);
  expect(await postDigests()).toEqual([]);
});

test('after a change of zone, an item is posted if the new time has passed, and once', async () => {
  const { arrive, pollAndWait, services, store, idle, takeNewPosts, postDigests } = await setUpDigests();
  // In this zone, the hour was six hours ago.
  await changeInboxChannel(services, admin, inboxId, { hour: new Date().getUTCHours(), zone: 'Etc/GMT-6' });
  const { url } = await arrive();
  expect(await pollAndWait()).toEqual([]);
  await store.pool.query(
    `update dropline.inbox_items set first_seen = now() - interval '2 hours' where announced_at is null`,
  );
  await changeInboxChannel(services, admin, inboxId, { zone: 'UTC' });
  await idle();
  expect(urlsOf(takeNewPosts())).toEqual([url]);
  expect(await postDigests()).toEqual([]);
});

test('items of a removed channel wait for the daily post of the one that gets them', async () => {
  const { arrive, pollAndWait, services, postDigests, idle, takeNewPosts } = await setUpDigests();
  const { url } = await arrive('dora@example.net');
  expect(await pollAndWait()).toEqual([]);
  await changeSettings(services, admin, { inboxChannels: [daily] });
  await idle();
  expect(takeNewPosts()).toEqual([]);
  const posts = await postDigests();
  expect(postRows(posts)).toEqual([['item', inboxId, true, 1]]);
  expect(urlsOf(posts)).toEqual([url]);
});

test('if settings change during announcing, they apply to items not yet posted', async () => {
  const setup = await setUpDigests();
  const { arrive, pollAndWait, services, postDigests } = setup;
  await changeSettings(services, admin, { inboxChannels: [inboxChannel(inboxId)] });
  const items = [await arrive(), await arrive(), await arrive()];
  setup.beforePost = async () => {
    setup.beforePost = () => {};
    await changeSettings(services, admin, { inboxChannels: [inboxChannel('C-NEW', laterDigest())] });
  };
  const first = await pollAndWait();
  expect(postRows(first)).toEqual([['item', inboxId, false, 1]]);
  const digestPosts = await postDigests();
  expect(postRows(digestPosts)).toEqual([['item', 'C-NEW', true, 2]]);
  expect(urlsOf([...first, ...digestPosts]).sort()).toEqual(items.map(({ url }) => url).sort());
});

test('a digest of more than ten posts becomes one summary', async () => {
  const { arrive, pollAndWait, postDigests } = await setUpDigests();
  for (let count = 0; count < 81; count += 1) await arrive();
  await pollAndWait();
  const posts = await postDigests();
  expect(posts.map(({ kind, items }) => [kind, items.length])).toEqual([['many', 81]]);
});

test('if the second post of a digest fails, it is retried without repeating the first', async () => {
  const setup = await setUpDigests();
  const { arrive, pollAndWait, store, idle } = setup;
  for (let count = 0; count < 12; count += 1) await arrive();
  await pollAndWait();
  let attempts = 0;
  setup.beforePost = () => {
    attempts += 1;
    if (attempts === 2) throw new Error('Slack is down');
  };
  await skipDay(store.pool);
  await until(async () => {
    await store.pool.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null');
    return attempts >= 3 || undefined;
  }, 'the retry');
  await idle();
  const posts = setup.takeNewPosts();
  expect(postRows(posts)).toEqual([
    ['item', inboxId, true, 8],
    ['item', inboxId, true, 4],
  ]);
  expect(new Set(urlsOf(posts)).size).toBe(12);
});

test('changes to items of one post cause one update with all its items', async () => {
  const setup = await setUpDigests();
  const { arrive, pollAndWait, postDigests, account } = setup;
  const items = [await arrive(), await arrive(), await arrive()];
  await pollAndWait();
  await postDigests();
  const add = (index: number, name: string) =>
    account.inbox.find(({ url }) => url === items[index]?.url)?.files.push({ name, type: '', bytes: 1, sha256: '' });
  add(0, 'one.pdf');
  add(2, 'three.pdf');
  const posts = await pollAndWait();
  expect(posts.map(({ kind }) => kind)).toEqual(['changed']);
  expect(posts[0]?.items.map(({ files }) => files.length)).toEqual([2, 1, 2]);
  expect(await pollAndWait()).toEqual([]);
});

test('an item deleted from the database disappears from its post at the next update', async () => {
  const { arrive, pollAndWait, postDigests, account, store } = await setUpDigests();
  const [listed, deleted] = [await arrive(), await arrive()];
  await pollAndWait();
  await postDigests();
  account.inbox.splice(0, account.inbox.length, ...account.inbox.filter(({ url }) => url === listed.url));
  await store.pool.query('delete from dropline.inbox_items where url = $1', [deleted.url]);
  account.inbox[0]?.files.push({ name: 'late.pdf', type: '', bytes: 1, sha256: '' });
  const posts = await pollAndWait();
  expect(posts.map(({ kind, items }) => [kind, items.map(({ url }) => url)])).toEqual([['changed', [listed.url]]]);
});

test.each([
  ['before a digest', 'before', 0],
  ['between a digest and its record', 'between', 1],
] as const)(
  'if a worker is killed %s, no item is lost; only an unrecorded post repeats',
  async (_, where, repeats) => {
    const inbox = await setUpInboxWorkers(postgres);
    const { argsOf, isPolled, server, urls, allAnnounced, posts, store, services } = inbox;
    await changeSettings(services, admin, { inboxChannels: [daily] });
    const first = await startInboxWorker(argsOf('first'));
    await until(isPolled, 'the baseline');
    for (const sender of ['carl@example.org', 'carl@example.org', 'dora@example.net']) {
      urls.push((await server.addInboxItem(user, { sender, files: [{ name: 'a.pdf', data: 'x' }] })).url);
    }
    await until(async () => {
      const { rowCount } = await store.pool.query('select from dropline.inbox_items where announced_at is null');
      return rowCount === urls.length || undefined;
    }, 'the waiting items');
    await first.stop();
    expect(await posts()).toEqual([]);
    await skipDay(store.pool);
    const args = JSON.stringify(argsOf('killed', { at: 1, where }));
    const { ended, printed } = programs.run('test/programs/inbox-worker.ts', [args]);
    expect(await ended, printed()).toEqual({ code: null, signal: 'SIGKILL' });
    const last = await startInboxWorker(argsOf('last'));
    onTestFinished(() => last.stop());
    await until(allAnnounced, 'all items to be announced');
    const times = timesPosted(await posts());
    expect([...times.keys()].sort()).toEqual(urls.toSorted());
    expect([...times.values()]).toEqual(urls.map(() => 1 + repeats));
  },
  60_000,
);

test('two workers announce each item once while an admin switches digests on and off', async () => {
  const random = createRandom(25);
  const inbox = await setUpInboxWorkers(postgres);
  const { argsOf, isPolled, server, urls, allAnnounced, posts, store, services } = inbox;
  await changeSettings(services, admin, { inboxChannels: [inboxChannel(inboxId)] });
  const workers = [await startInboxWorker(argsOf('one')), await startInboxWorker(argsOf('two'))];
  onTestFinished(async () => {
    for (const worker of workers) await worker.stop();
  });
  await until(isPolled, 'the baseline');
  for (let round = 0; round < 30; round += 1) {
    for (let count = random.below(4); count > 0; count -= 1) {
      const sender = random.pick(['carl@example.org', 'dora@example.net', 'emil@example.com']);
      urls.push((await server.addInboxItem(user, { sender, files: [{ name: 'a.pdf', data: 'x' }] })).url);
    }
    const digest = random.pick([{ posts: 'each' as const }, laterDigest(), { posts: 'hour' as const }]);
    await changeInboxChannel(services, admin, inboxId, digest);
    if (random.below(3) === 0) await skipDay(store.pool);
  }
  await changeInboxChannel(services, admin, inboxId, { posts: 'each' });
  await until(allAnnounced, 'all items to be announced');
  const times = timesPosted(await posts());
  expect([...times.keys()].sort()).toEqual(urls.toSorted());
  expect([...times.values()].filter((count) => count !== 1)).toEqual([]);
}, 60_000);
