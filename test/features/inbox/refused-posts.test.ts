import { expect, test } from 'vitest';
import { DroplineError } from '../../../src/lib/errors.ts';
import { until } from '../../helpers/features.ts';
import { setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

test('posting to a missing channel is retried and delays no other channel', async () => {
  const setup = await setUpInbox(postgres);
  const { arrive, pollAndAnnounce, posts, poll } = setup;
  let isRestored = false;
  setup.beforePost = ({ items: [item] }) => {
    if (item?.sender === 'carl@example.org' && !isRestored)
      throw new DroplineError('no-channel', 'The channel is missing.');
  };
  await arrive('carl@example.org');
  await arrive('dora@example.net');
  await poll();
  await until(
    () => posts.find(({ items }) => items[0]?.sender === 'dora@example.net'),
    'the post in the other channel',
  );
  isRestored = true;
  expect((await pollAndAnnounce()).map(({ items }) => items[0]?.sender)).toEqual([
    'dora@example.net',
    'carl@example.org',
  ]);
});

test('a post that fails is retried until it succeeds and delays no other post', async () => {
  const setup = await setUpInbox(postgres);
  const { arrive, poll, posts, untilDrained, store } = setup;
  const refused = await arrive('refused@example.org');
  const otherItems = [await arrive(), await arrive()];
  let attempts = 0;
  setup.beforePost = ({ items }) => {
    if (items[0]?.url !== refused.url) return;
    attempts += 1;
    throw new Error('channel_not_found');
  };
  await poll();
  await until(() => (attempts > 0 && urlsOf(posts).length === 2) || undefined, 'the other posts');
  expect(urlsOf(posts).sort()).toEqual(otherItems.map(({ url }) => url).sort());
  setup.beforePost = () => {};
  // Skip the growing back-off of the job engine.
  await until(async () => {
    await store.pool.query('update graphile_worker._private_jobs set run_at = now() where attempts > 0');
    return urlsOf(posts).length === 3 || undefined;
  }, 'the refused post');
  await untilDrained();
  expect(urlsOf(posts)).toEqual([...otherItems.map(({ url }) => url), refused.url]);
});
