import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { transfersIn } from '../../../src/features/transfers/repository.ts';
import { user } from '../../helpers/exchange.ts';
import { anna, bo } from '../../helpers/features.ts';
import { type InboxSetup, setUpInbox } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

interface FileRequest {
  id: string;
  change(state: 'committing' | 'sent' | 'failed', ended: boolean): Promise<unknown>;
}

/** Inserts a file request that is being sent. */
async function insertRequest(
  { store, server }: InboxSetup,
  person: string,
  email: string,
  username = user,
): Promise<FileRequest> {
  const id = randomUUID();
  const transfers = transfersIn(store);
  const account = `${server.url}/${username}`;
  const details = {
    receivers: [{ email, json: '{}' }],
    files: [],
    message: '',
    timeToLive: 7,
    removeForeign: [],
    place: { thread: id },
  };
  await transfers.insert(store.pool, { id, kind: 'grant', workspace: 'T1', account, person, details });
  const change: FileRequest['change'] = (state, ended) =>
    transfers.change(id, async () => ({ state, committed: true, ended }));
  await change('committing', false);
  return { id, change };
}

test('a reply goes only to the person who asked, whatever else arrives', async () => {
  const setup = await setUpInbox(postgres);
  const { arrive, pollAndAnnounce } = setup;
  const { id, change } = await insertRequest(setup, anna.person, 'Carl@Example.org');
  await change('sent', true);
  for (let count = 0; count < 12; count += 1) await arrive('stranger@example.net');
  const reply = await arrive('carl@example.ORG');
  const [first, second, ...more] = await pollAndAnnounce();
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    kind: 'item',
    items: [{ url: reply.url }],
    requestMatch: { kind: 'reply', requests: [{ id, person: anna.person, location: { thread: id } }] },
  });
  expect(second).toMatchObject({ kind: 'many' });
  expect(second?.items).toHaveLength(12);
});

test('ten replies to a request get a post each, eleven share one', async () => {
  const setup = await setUpInbox(postgres);
  const { arrive, pollAndAnnounce } = setup;
  const { id, change } = await insertRequest(setup, anna.person, 'carl@example.org');
  await change('sent', true);
  await (await insertRequest(setup, bo.person, 'dora@example.net')).change('sent', true);
  for (let count = 0; count < 11; count += 1) await arrive('carl@example.org');
  for (let count = 0; count < 10; count += 1) await arrive('dora@example.net');
  const posts = await pollAndAnnounce();
  expect(posts.map(({ kind }) => kind)).toEqual([...Array(10).fill('item'), 'many']);
  expect(posts[0]?.requestMatch?.requests).toMatchObject([{ person: bo.person }]);
  expect(posts[10]).toMatchObject({ requestMatch: { kind: 'reply', requests: [{ id, person: anna.person }] } });
  expect(posts[10]?.items).toHaveLength(11);
  expect(await pollAndAnnounce()).toEqual([]);
});

test('a reply to several requesters is announced to all of them in one post', async () => {
  const setup = await setUpInbox(postgres);
  for (const { person } of [anna, bo])
    await (await insertRequest(setup, person, 'carl@example.org')).change('sent', true);
  await setup.arrive('carl@example.org');
  const [post, ...more] = await setup.pollAndAnnounce();
  expect(more).toEqual([]);
  expect(post?.requestMatch?.kind).toBe('several');
  expect(post?.requestMatch?.requests.map(({ person }) => person).sort()).toEqual([anna.person, bo.person]);
});

const requests: [string, string, (request: FileRequest, setup: InboxSetup) => Promise<unknown>][] = [
  ['is not recorded as ended yet', 'reply', ({ change }) => change('sent', false)],
  ['failed', 'unrequested', ({ change }) => change('failed', true)],
  [
    'is older than 30 days',
    'unrequested',
    async ({ id, change }, { store }) => {
      await change('sent', true);
      await store.pool.query(`update dropline.dispatches set ended_at = now() - interval '31 days' where id = $1`, [
        id,
      ]);
    },
  ],
];

test.each(requests)('an answer to a request that %s counts as %s', async (_, kind, prepare) => {
  const setup = await setUpInbox(postgres);
  await prepare(await insertRequest(setup, anna.person, 'carl@example.org'), setup);
  await setup.arrive('carl@example.org');
  expect((await setup.pollAndAnnounce()).map(({ requestMatch }) => requestMatch?.kind)).toEqual([kind]);
});

test('an item does not answer a request made from another account', async () => {
  const setup = await setUpInbox(postgres);
  const { change } = await insertRequest(setup, anna.person, 'carl@example.org', 'other@example.com');
  await change('sent', true);
  await setup.arrive('carl@example.org');
  expect((await setup.pollAndAnnounce()).map(({ requestMatch }) => requestMatch?.kind)).toEqual(['unrequested']);
});
