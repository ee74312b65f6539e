import { expect, test } from 'vitest';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import { admin } from '../../helpers/features.ts';
import { setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { inboxChannel } from '../../helpers/inbox-channels.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

test('a channel gets a summary only for more than ten posts of its own', async () => {
  const { arrive, pollAndAnnounce, services } = await setUpInbox(postgres);
  await changeSettings(services, admin, { inboxChannels: [inboxChannel('C-NET', { senders: ['example.net'] })] });
  for (let count = 0; count < 11; count += 1) await arrive();
  for (let count = 0; count < 2; count += 1) await arrive('Dora@Example.Net');
  const posts = await pollAndAnnounce();
  expect(posts.map(({ kind, items }) => [kind, items.length])).toEqual([
    ['item', 2],
    ['many', 11],
  ]);
});

test('items of ten senders get a post each; items of eleven senders get a summary', async () => {
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
