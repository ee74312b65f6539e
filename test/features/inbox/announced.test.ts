import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { DroplineError } from '../../../src/errors.ts';
import { listInbox } from '../../../src/features/inbox/operations.ts';
import { ledgerOf } from '../../../src/features/outgoing/ledger.ts';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import { user } from '../../helpers/exchange.ts';
import { admin, anna, bo, until } from '../../helpers/features.ts';
import { type InboxSetup, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

const nothing = JSON.stringify({ history: [], live_drops: '0', inbox: [] });

interface Asked {
  id: string;
  change(state: 'committing' | 'sent' | 'failed', ended: boolean): Promise<unknown>;
}

/** A request for files that is being sent. */
async function asked({ store, server }: InboxSetup, person: string, email: string, username = user): Promise<Asked> {
  const id = randomUUID();
  const ledger = ledgerOf(store);
  const account = `${server.url}/${username}`;
  const details = {
    receivers: [{ email, json: '{}' }],
    files: [],
    message: '',
    timeToLive: 7,
    removeForeign: [],
    place: { thread: id },
  };
  await ledger.insert(store.pool, { id, kind: 'grant', workspace: 'T1', account, person, details });
  const change: Asked['change'] = (state, ended) => ledger.change(id, async () => ({ state, committed: true, ended }));
  await change('committing', false);
  return { id, change };
}

test('what arrives is announced once, the oldest first, with all that is known of it', async () => {
  const { arrive, news } = await setUpInbox(postgres);
  const first = await arrive('carl@example.org', ['a.pdf', 'b.pdf']);
  const second = await arrive('stranger@example.net', ['c.pdf']);
  expect(await news()).toEqual([
    {
      kind: 'item',
      workspace: 'T1',
      belonging: { kind: 'unasked', requests: [] },
      items: [
        {
          url: first.url,
          sender: 'carl@example.org',
          createdAt: Math.floor(first.createdAt / 1000),
          ttl: '7',
          files: ['a.pdf', 'b.pdf'],
          taken: [],
          isGone: false,
        },
      ],
    },
    expect.objectContaining({ kind: 'item', items: [expect.objectContaining({ url: second.url, files: ['c.pdf'] })] }),
  ]);
  expect(await news()).toEqual([]);
});

test('an empty answer once, another order, and an item that goes and comes back are no news', async () => {
  const { arrive, news: posted, account, server, services } = await setUpInbox(postgres);
  const news = async () => (await posted()).filter(({ kind }) => kind !== 'changed');
  for (let count = 0; count < 3; count += 1) await arrive();
  expect(await news()).toHaveLength(3);
  server.addFault({
    operation: 'get_history',
    kind: 'answer',
    answer: { headers: { 'content-type': 'application/json' }, body: nothing },
  });
  expect(await news()).toEqual([]);
  expect(await news()).toEqual([]);
  account.inbox.reverse();
  expect(await news()).toEqual([]);
  const gone = account.inbox.splice(1, 1);
  expect(await news()).toEqual([]);
  expect(await listInbox(services, anna)).toHaveLength(2);
  account.inbox.unshift(...gone);
  expect(await news()).toEqual([]);
  expect(await listInbox(services, anna)).toHaveLength(3);
});

test('what is gone for a while is shown as gone, and when it is back as there; what is away for a moment is not', async () => {
  const { arrive, news, poll, account, services } = await setUpInbox(postgres);
  const { url } = await arrive();
  await news();
  const gone = account.inbox.splice(0);
  expect(await news()).toMatchObject([{ kind: 'changed', items: [{ url, isGone: true }] }]);
  expect(await news()).toEqual([]);
  account.inbox.push(...gone);
  expect(await news()).toMatchObject([{ kind: 'changed', items: [{ url, isGone: false }] }]);
  services.timing = { ...services.timing, gonePauseMs: 4_000 };
  account.inbox.splice(0);
  await poll();
  account.inbox.push(...gone);
  expect(await news()).toEqual([]);
});

test('what is to go to different channels is counted apart: a crowd for one is no crowd for the other', async () => {
  const { arrive, news, services } = await setUpInbox(postgres);
  await changeSettings(services, admin, { routes: [{ from: 'example.net', channel: 'C-NET' }] });
  for (let count = 0; count < 11; count += 1) await arrive('carl@example.org');
  for (let count = 0; count < 2; count += 1) await arrive('Dora@Example.Net');
  const posts = await news();
  expect(posts.map(({ kind, items }) => [kind, items.length])).toEqual([
    ['item', 1],
    ['item', 1],
    ['many', 11],
  ]);
});

test('where nothing can be posted it is tried again at an even pace, and what can be posted elsewhere is', async () => {
  const setup = await setUpInbox(postgres);
  const { arrive, news, posts, poll } = setup;
  let isMended = false;
  setup.beforePost = ({ items: [item] }) => {
    if (item?.sender === 'carl@example.org' && !isMended) throw new DroplineError('no-place', 'There is no place.');
  };
  await arrive('carl@example.org');
  await arrive('dora@example.net');
  await poll();
  await until(() => posts.find(({ items }) => items[0]?.sender === 'dora@example.net'), 'the other one');
  isMended = true;
  expect((await news()).map(({ items }) => items[0]?.sender)).toEqual(['dora@example.net', 'carl@example.org']);
});

test('files added under a known address change its post, and are no post of their own', async () => {
  const { arrive, news, account } = await setUpInbox(postgres);
  const item = await arrive('carl@example.org', ['a.pdf']);
  await news();
  account.inbox[0]?.files.push({ name: 'late.pdf', type: 'application/pdf', bytes: 1, sha256: '' });
  const posts = await news();
  expect(posts).toMatchObject([{ kind: 'changed', items: [{ url: item.url, files: ['a.pdf', 'late.pdf'] }] }]);
  expect(await news()).toEqual([]);
});

test.each(['announced', 'shown'])(
  'files added while the item is being %s change its post right after',
  async (when) => {
    const setup = await setUpInbox(postgres);
    const { arrive, news, poll, account, posts } = setup;
    const add = (name: string) => account.inbox[0]?.files.push({ name, type: '', bytes: 1, sha256: '' });
    const item = await arrive('carl@example.org', ['a.pdf']);
    if (when === 'shown') {
      await news();
      add('b.pdf');
    }
    setup.beforePost = async () => {
      setup.beforePost = () => {};
      add('late.pdf');
      await poll();
    };
    await news();
    await news();
    const [before, after] = posts.slice(-2);
    expect(before).toMatchObject({ kind: when === 'announced' ? 'item' : 'changed', items: [{ url: item.url }] });
    expect(before?.items[0]?.files).not.toContain('late.pdf');
    expect(after).toMatchObject({ kind: 'changed', items: [{ url: item.url }] });
    expect(after?.items[0]?.files).toContain('late.pdf');
  },
);

test('ten new items are ten posts, eleven are one', async () => {
  const { arrive, news, account } = await setUpInbox(postgres);
  for (let count = 0; count < 10; count += 1) await arrive();
  expect((await news()).map(({ kind }) => kind)).toEqual(Array(10).fill('item'));
  const known = account.inbox.length;
  for (let count = 0; count < 11; count += 1) await arrive();
  const posts = await news();
  expect(posts.map(({ kind }) => kind)).toEqual(['many']);
  expect(urlsOf(posts).sort()).toEqual(
    account.inbox
      .slice(known)
      .map(({ url }) => url)
      .sort(),
  );
  expect(await news()).toEqual([]);
});

test('an item that was announced among many has no post to be changed', async () => {
  const { arrive, news, account, store } = await setUpInbox(postgres);
  for (let count = 0; count < 11; count += 1) await arrive();
  await news();
  account.inbox[3]?.files.push({ name: 'late.pdf', type: 'application/pdf', bytes: 1, sha256: '' });
  expect(await news()).toEqual([]);
  const { rows } = await store.pool.query('select from dropline.inbox_items where changed_at is not null');
  expect(rows).toEqual([]);
});

test('a reply goes to the one who asked, alone, however much else there is', async () => {
  const setup = await setUpInbox(postgres);
  const { arrive, news } = setup;
  const { id, change } = await asked(setup, anna.person, 'Carl@Example.org');
  await change('sent', true);
  for (let count = 0; count < 12; count += 1) await arrive('stranger@example.net');
  const reply = await arrive('carl@example.ORG');
  const [first, second, ...more] = await news();
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    kind: 'item',
    items: [{ url: reply.url }],
    belonging: { kind: 'reply', requests: [{ id, person: anna.person, place: { thread: id } }] },
  });
  expect(second).toMatchObject({ kind: 'many' });
  expect(second?.items).toHaveLength(12);
});

test('with several who asked the same contact, all of them are told, by one post', async () => {
  const setup = await setUpInbox(postgres);
  for (const { person } of [anna, bo]) await (await asked(setup, person, 'carl@example.org')).change('sent', true);
  await setup.arrive('carl@example.org');
  const [post, ...more] = await setup.news();
  expect(more).toEqual([]);
  expect(post?.belonging?.kind).toBe('several');
  expect(post?.belonging?.requests.map(({ person }) => person).sort()).toEqual([anna.person, bo.person]);
});

const requests: [string, string, (request: Asked, setup: InboxSetup) => Promise<unknown>][] = [
  ['is answered before its end is noted', 'reply', ({ change }) => change('sent', false)],
  ['was not made', 'unasked', ({ change }) => change('failed', true)],
  [
    'is older than 30 days',
    'unasked',
    async ({ id, change }, { store }) => {
      await change('sent', true);
      await store.pool.query(`update dropline.dispatches set ended_at = now() - interval '31 days' where id = $1`, [
        id,
      ]);
    },
  ],
];

test.each(requests)('where a request %s, what comes is taken as: %s', async (_, kind, prepare) => {
  const setup = await setUpInbox(postgres);
  await prepare(await asked(setup, anna.person, 'carl@example.org'), setup);
  await setup.arrive('carl@example.org');
  expect((await setup.news()).map(({ belonging }) => belonging?.kind)).toEqual([kind]);
});

test('a request that was made from another account is not answered here', async () => {
  const setup = await setUpInbox(postgres);
  const { change } = await asked(setup, anna.person, 'carl@example.org', 'other@example.com');
  await change('sent', true);
  await setup.arrive('carl@example.org');
  expect((await setup.news()).map(({ belonging }) => belonging?.kind)).toEqual(['unasked']);
});

test('a post that cannot be made holds back no other, and is made when it can be', async () => {
  const setup = await setUpInbox(postgres);
  const { arrive, poll, posts, drained, store } = setup;
  const refused = await arrive('refused@example.org');
  const others = [await arrive(), await arrive()];
  let tries = 0;
  setup.beforePost = ({ items }) => {
    if (items[0]?.url !== refused.url) return;
    tries += 1;
    throw new Error('channel_not_found');
  };
  await poll();
  await until(() => (tries > 0 && urlsOf(posts).length === 2) || undefined, 'the others to be posted');
  expect(urlsOf(posts).sort()).toEqual(others.map(({ url }) => url).sort());
  setup.beforePost = () => {};
  // The engine waits longer each time; here nobody wants to.
  await until(async () => {
    await store.pool.query('update graphile_worker._private_jobs set run_at = now() where attempts > 0');
    return urlsOf(posts).length === 3 || undefined;
  }, 'the one that was refused');
  await drained();
  expect(urlsOf(posts)).toEqual([...others.map(({ url }) => url), refused.url]);
});
