import { expect, test } from 'vitest';
import { bounds } from '../../../src/lib/bounds.ts';
import { anna } from '../../helpers/features.ts';
import { answerHistory, item, listInbox, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

const many = (name: string) =>
  Array.from({ length: 30_000 }, (_, n) => ({ url: `url-${n}`, createtime: 1_700_000_000 + n, files: [{ name }] }));

test('30,000 items become one post with the newest, and later changes are noticed', async () => {
  const setup = await setUpInbox(postgres);
  answerHistory(setup, many('a.pdf'));
  const posts = await setup.pollAndAnnounce();
  expect(posts).toMatchObject([{ kind: 'many', leftOut: 30_000 - bounds.inboxItems }]);
  expect(new Set(urlsOf(posts)).size).toBe(bounds.inboxItems);
  answerHistory(setup, [item('one-more', { createtime: '1800000000' }), ...many('b.pdf')]);
  expect(urlsOf(await setup.pollAndAnnounce())).toEqual(['one-more']);
  const [listed] = await listInbox(setup.services, anna, { limit: 1, offset: 1_000 });
  expect(listed?.files).toEqual(['b.pdf']);
  answerHistory(setup, []);
  expect((await setup.pollAndAnnounce()).map(({ kind }) => kind)).toEqual(['changed']);
  expect(await listInbox(setup.services, anna)).toEqual([]);
}, 90_000);

test('new items at every poll leave a bounded number of database rows', async () => {
  const setup = await setUpInbox(postgres);
  for (let poll = 0; poll < 13; poll += 1) {
    const fresh = Array.from({ length: 5_000 }, (_, n) => item(`url-${poll}-${n}`));
    answerHistory(setup, fresh);
    await setup.pollAndAnnounce();
  }
  const { rows } = await setup.store.pool.query('select count(*)::int as many from dropline.inbox_items');
  expect(rows).toEqual([{ many: bounds.inboxRows }]);
}, 180_000);

test('thousands of entries with the same url become one item', async () => {
  const setup = await setUpInbox(postgres);
  const entries = Array.from({ length: 30_000 }, (_, n) => ({ url: 'same', files: [{ name: `${n}.pdf` }] }));
  answerHistory(setup, entries);
  expect(await setup.pollAndAnnounce()).toMatchObject([{ kind: 'item', items: [{ url: 'same' }] }]);
  expect((await listInbox(setup.services, anna))[0]).toMatchObject({ filesLeftOut: 30_000 - bounds.filesPerItem });
}, 60_000);
