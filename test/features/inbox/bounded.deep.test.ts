import { expect, test } from 'vitest';
import { bounds } from '../../../src/bounds.ts';
import { itemsIn } from '../../../src/features/inbox/items/repository.ts';
import { pollState } from '../../../src/features/inbox/poll/repository.ts';
import { user } from '../../helpers/exchange.ts';
import { type InboxSetup, item, say, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

/** Items are sent one second apart. */
const sent = (number: number) => item(`url-${number}`, { createtime: String(1_700_000_000 + number) });
const some = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => sent(from + index));
const most = bounds.inboxItems;

async function newsOf(setup: InboxSetup, items: unknown[]) {
  say(setup, items);
  return setup.news();
}

test('items beyond the limit of one read are all announced and all marked as gone', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  for (const many of [most, 2 * most]) {
    say(setup, some(0, many));
    await setup.poll();
  }
  await setup.work();
  await setup.drained();
  const posts = setup.newPosts().filter(({ kind }) => kind !== 'baseline');
  expect(posts.map(({ kind, items }) => [kind, items.length])).toEqual([
    ['many', most],
    ['many', most],
  ]);
  expect(new Set(urlsOf(posts)).size).toBe(2 * most);
  await newsOf(setup, []);
  const { rows } = await setup.store.pool.query(
    'select from dropline.inbox_items where gone_at is not null <> gone_shown',
  );
  expect(rows).toEqual([]);
});

test('a listed item counts as present, however many newer ones there are', async () => {
  const setup = await setUpInbox(postgres);
  await newsOf(setup, [sent(0)]);
  await newsOf(setup, some(0, most + 2));
  const isGone = async () =>
    (await itemsIn(setup.store, 'T1', `${setup.server.url}/${user}`).find('url-0'))?.item.isGone;
  expect(await isGone()).toBe(false);
  await newsOf(setup, []);
  expect(await isGone()).toBe(true);
  await newsOf(setup, some(0, most + 2));
  expect(await isGone()).toBe(false);
  expect(await pollState(setup.store.pool, 'T1')).toMatchObject({ leftOut: 1 });
});

test('items over the limit at connect are counted in the summary', async () => {
  const setup = await setUpInbox(postgres);
  await setup.connectWorkspace('T2');
  await setup.store.pool.query(`update dropline.polls set paused_at = now() where workspace = 'T1'`);
  expect(await newsOf(setup, some(0, most + 3))).toEqual([
    { kind: 'baseline', workspace: 'T2', items: [], count: most, leftOut: 3 },
  ]);
});
