import { expect, test } from 'vitest';
import { anna, bo } from '../../helpers/features.ts';
import { setUpInbox } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { insertRequest } from './replies.ts';

const postgres = startTestPostgres();

test('if one poll finds several replies to a request, they share posts', async () => {
  const setup = await setUpInbox(postgres);
  const { arrive, pollAndAnnounce } = setup;
  const { id, take } = await insertRequest(setup, anna.person, 'carl@example.org');
  await take('accept', 'sent');
  await (await insertRequest(setup, bo.person, 'dora@example.net')).take('accept', 'sent');
  for (let count = 0; count < 11; count += 1) await arrive('carl@example.org');
  for (let count = 0; count < 10; count += 1) await arrive('dora@example.net');
  const posts = await pollAndAnnounce();
  expect(posts.map(({ kind, items }) => [kind, items.length])).toEqual([8, 3, 8, 2].map((items) => ['item', items]));
  expect(posts[1]).toMatchObject({ requestMatch: { kind: 'reply', requests: [{ id, person: anna.person }] } });
  expect(posts[2]?.requestMatch?.requests).toMatchObject([{ person: bo.person }]);
  expect(await pollAndAnnounce()).toEqual([]);
});

test('a reply to several requesters is announced to all of them in one post', async () => {
  const setup = await setUpInbox(postgres);
  for (const { person } of [anna, bo])
    await (await insertRequest(setup, person, 'carl@example.org')).take('accept', 'sent');
  await setup.arrive('carl@example.org');
  const [post, ...more] = await setup.pollAndAnnounce();
  expect(more).toEqual([]);
  expect(post?.requestMatch?.kind).toBe('several');
  expect(post?.requestMatch?.requests.map(({ person }) => person).sort()).toEqual([anna.person, bo.person]);
});

test("an item isn't a reply to a request made from another account", async () => {
  const setup = await setUpInbox(postgres);
  const { take } = await insertRequest(setup, anna.person, 'carl@example.org', 'other@example.com');
  await take('accept', 'sent');
  await setup.arrive('carl@example.org');
  expect((await setup.pollAndAnnounce()).map(({ requestMatch }) => requestMatch?.kind)).toEqual(['unrequested']);
});
