import { expect, test } from 'vitest';
import { itemsIn } from '../../../src/features/inbox/items/repository.ts';
import { pollState } from '../../../src/features/inbox/poll/repository.ts';
import { user } from '../../helpers/exchange.ts';
import { answerHistory, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { announcementsWith, itemAt, itemsAt, maxItems } from './limits.ts';

const postgres = startTestPostgres();

test('if items exceed one read, all are announced, and all later marked as gone', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  for (const many of [maxItems, 2 * maxItems]) {
    answerHistory(setup, itemsAt(0, many));
    await setup.poll();
  }
  await setup.work();
  await setup.drained();
  const posts = setup.newPosts().filter(({ kind }) => kind !== 'baseline');
  expect(posts.map(({ kind, items }) => [kind, items.length])).toEqual([
    ['many', maxItems],
    ['many', maxItems],
  ]);
  expect(new Set(urlsOf(posts)).size).toBe(2 * maxItems);
  await announcementsWith(setup, []);
  const { rows } = await setup.store.pool.query(
    'select from dropline.inbox_items where gone_at is not null <> gone_shown',
  );
  expect(rows).toEqual([]);
});

test('a listed item counts as present, however many newer ones there are', async () => {
  const setup = await setUpInbox(postgres);
  await announcementsWith(setup, [itemAt(0)]);
  await announcementsWith(setup, itemsAt(0, maxItems + 2));
  const isGone = async () =>
    (await itemsIn(setup.store, 'T1', `${setup.server.url}/${user}`).find('url-0'))?.item.isGone;
  expect(await isGone()).toBe(false);
  await announcementsWith(setup, []);
  expect(await isGone()).toBe(true);
  await announcementsWith(setup, itemsAt(0, maxItems + 2));
  expect(await isGone()).toBe(false);
  expect(await pollState(setup.store.pool, 'T1')).toMatchObject({ leftOut: 1 });
});

test('items over the limit at connect are counted in the summary', async () => {
  const setup = await setUpInbox(postgres);
  await setup.connectWorkspace('T2');
  await setup.store.pool.query(`update dropline.polls set paused_at = now() where workspace = 'T1'`);
  expect(await announcementsWith(setup, itemsAt(0, maxItems + 3))).toEqual([
    { kind: 'baseline', workspace: 'T2', items: [], count: maxItems, leftOut: 3 },
  ]);
});
