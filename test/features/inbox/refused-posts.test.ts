import { expect, test } from 'vitest';
import { DroplineError } from '../../../src/errors.ts';
import { until } from '../../helpers/features.ts';
import { setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

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
