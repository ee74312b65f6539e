import { expect, test } from 'vitest';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import { admin } from '../../helpers/features.ts';
import { setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

test('the limit for a combined post counts each channel separately', async () => {
  const { arrive, pollAndAnnounce, services } = await setUpInbox(postgres);
  await changeSettings(services, admin, { routes: [{ from: 'example.net', channel: 'C-NET' }] });
  for (let count = 0; count < 11; count += 1) await arrive('carl@example.org');
  for (let count = 0; count < 2; count += 1) await arrive('Dora@Example.Net');
  const posts = await pollAndAnnounce();
  expect(posts.map(({ kind, items }) => [kind, items.length])).toEqual([
    ['item', 1],
    ['item', 1],
    ['many', 11],
  ]);
});

test('a long announcing job yields to other workspaces and continues later', async () => {
  const { arrive, poll, services, work, connectWorkspace, drained, newPosts } = await setUpInbox(postgres, {
    isWorking: false,
  });
  await connectWorkspace('T2');
  await poll();
  services.timing = { ...services.timing, announceMs: 0 };
  const first = [await arrive(), await arrive(), await arrive()];
  await poll();
  await arrive('carl@example.org', ['a.pdf'], 't2@example.com');
  await poll();
  await work({ concurrency: 1 });
  await drained();
  const posts = newPosts().filter(({ kind }) => kind === 'item');
  expect(posts.map(({ workspace }) => workspace)).toEqual(['T1', 'T2', 'T1', 'T1']);
  expect(urlsOf(posts.filter(({ workspace }) => workspace === 'T1'))).toEqual(first.map(({ url }) => url));
});

test('ten new items get a post each, eleven share one', async () => {
  const { arrive, pollAndAnnounce, account } = await setUpInbox(postgres);
  for (let count = 0; count < 10; count += 1) await arrive();
  expect((await pollAndAnnounce()).map(({ kind }) => kind)).toEqual(Array(10).fill('item'));
  const known = account.inbox.length;
  for (let count = 0; count < 11; count += 1) await arrive();
  const posts = await pollAndAnnounce();
  expect(posts.map(({ kind }) => kind)).toEqual(['many']);
  expect(urlsOf(posts).sort()).toEqual(
    account.inbox
      .slice(known)
      .map(({ url }) => url)
      .sort(),
  );
  expect(await pollAndAnnounce()).toEqual([]);
});

test('an item from a combined post has no post to update', async () => {
  const { arrive, pollAndAnnounce, account, store } = await setUpInbox(postgres);
  for (let count = 0; count < 11; count += 1) await arrive();
  await pollAndAnnounce();
  account.inbox[3]?.files.push({ name: 'late.pdf', type: 'application/pdf', bytes: 1, sha256: '' });
  expect(await pollAndAnnounce()).toEqual([]);
  const { rows } = await store.pool.query('select from dropline.inbox_items where changed_at is not null');
  expect(rows).toEqual([]);
});
