import { expect, test } from 'vitest';
import { listInbox } from '../../../src/features/inbox/operations.ts';
import { anna } from '../../helpers/features.ts';
import { item, say, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

test('ten thousand items are one post, then all of them change, and one more is one more', async () => {
  const setup = await setUpInbox(postgres);
  const many = (name: string) => Array.from({ length: 10_000 }, (_, n) => item(`url-${n}`, { files: [{ name }] }));
  say(setup, many('a.pdf'), 2);
  const posts = await setup.news();
  expect(posts.map(({ kind }) => kind)).toEqual(['many']);
  expect(new Set(urlsOf(posts)).size).toBe(10_000);
  say(setup, [item('one-more'), ...many('b.pdf')], 2);
  expect(urlsOf(await setup.news())).toEqual(['one-more']);
  const [listed] = await listInbox(setup.services, anna, { limit: 1, offset: 5_000 });
  expect(listed?.files).toEqual(['b.pdf']);
  say(setup, []);
  expect((await setup.news()).map(({ kind }) => kind)).toEqual(['changed']);
  expect(await listInbox(setup.services, anna)).toEqual([]);
}, 90_000);

test('ten thousand items at connect are counted', async () => {
  const setup = await setUpInbox(postgres);
  await setup.connectWorkspace('T2');
  await setup.store.pool.query(`update dropline.polls set paused_at = now() where workspace = 'T1'`);
  say(
    setup,
    Array.from({ length: 10_000 }, (_, n) => item(`url-${n}`)),
  );
  expect(await setup.news()).toEqual([{ kind: 'baseline', workspace: 'T2', items: [], count: 10_000 }]);
});
