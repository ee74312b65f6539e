import { expect, test } from 'vitest';
import { itemIdOf } from '../../../src/features/common/ids.ts';
import {
  baselineAnnouncement,
  combinedAnnouncement,
  itemAnnouncement,
} from '../../../src/features/inbox/announce/views.ts';
import { itemsIn } from '../../../src/features/inbox/items/repository.ts';
import { filesView, inboxView } from '../../../src/features/inbox/list/views.ts';
import { pollStateOf } from '../../helpers/desks.ts';
import { user } from '../../helpers/exchange.ts';
import { answerHistory, item, setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { announceWithItems, countRows, itemsAt, maxItems } from './limits.ts';

const postgres = startTestPostgres();

test('over the limit, only the newest items are stored and the rest are counted', async () => {
  const setup = await setUpInbox(postgres);
  const warnings: object[] = [];
  setup.services.log.warn = (fields: object) => void warnings.push(fields);
  const posts = await announceWithItems(setup, itemsAt(0, maxItems + 3).reverse());
  expect(posts).toMatchObject([{ kind: 'many', leftOut: 3 }]);
  expect(urlsOf(posts)).toHaveLength(maxItems);
  expect(urlsOf(posts)).not.toContain('url-2');
  expect(await countRows(setup)).toBe(maxItems);
  expect(await pollStateOf(setup.store, 'T1')).toMatchObject({ leftOut: 3 });
  expect(warnings).toMatchObject([{ workspace: 'T1', leftOut: 3 }]);

  // Two of the items that were left out fit now.
  expect(await announceWithItems(setup, itemsAt(0, maxItems + 1))).toEqual([]);
  expect(await countRows(setup)).toBe(maxItems + 2);
  expect(await pollStateOf(setup.store, 'T1')).toMatchObject({ leftOut: 1 });
  expect(await announceWithItems(setup, itemsAt(maxItems + 3, maxItems + 4))).toMatchObject([
    { kind: 'item', items: [{ url: `url-${maxItems + 3}` }] },
  ]);
  expect(await pollStateOf(setup.store, 'T1')).toMatchObject({ leftOut: 0 });
});

test('an item whose file list is too large is announced once, without the list', async () => {
  const setup = await setUpInbox(postgres);
  const names = (text: string) => Array.from({ length: 17 }, () => ({ name: text.repeat(65_000) }));
  const announceLarge = async (text: string) => {
    answerHistory(setup, [item('large', { files: names(text) }), item('small')]);
    return setup.pollAndAnnounce();
  };
  const posts = await announceLarge('a');
  const [large] = posts.flatMap(({ items }) => items);
  expect(large).toMatchObject({ url: 'large', files: [], filesLeftOut: 17 });
  expect(urlsOf(posts)).toEqual(['large', 'small']);
  expect(await announceLarge('b')).toEqual([]);
  const { rows } = await setup.store.pool.query(
    'select max(octet_length(details_encrypted)) from dropline.inbox_items',
  );
  expect(rows[0].max).toBeLessThan(1_000);
  if (large === undefined) throw new Error('nothing was announced');
  const post = itemAnnouncement({ item: large, unit: 'days', requesters: [] });
  expect(post.text).toBe('17 files from carl@example.org (the list is too large to show)');
  expect(JSON.stringify(post.blocks)).toContain('The file list is too large to show');
});

test('an item can be found by its id, whatever characters its url contains', async () => {
  const setup = await setUpInbox(postgres);
  const urls = ['plain', 'ü €😀', String.raw`back\slash\x41`, "quote'", '%2e'];
  await announceWithItems(
    setup,
    urls.map((url) => item(url)),
  );
  const items = itemsIn(setup.store, 'T1', `${setup.server.url}/${user}`);
  for (const url of urls) expect(await items.findById(itemIdOf(url))).toMatchObject({ url });
});

test('an inbox of which only the newest items were searched says so', () => {
  const page = { items: [], page: 0, total: 0, unit: 'days' as const, asOf: new Date(), lastFailure: undefined };
  const filters = [{ isNew: true }, { work: 'open' as const, hasWork: true }, {}];
  for (const filter of filters) {
    const view = JSON.stringify(inboxView({ ...page, ...filter, searched: 180 }));
    expect(view).toContain('Only the newest 180 items were searched.');
    expect(view).toContain('No results.');
    expect(view).not.toMatch(/downloaded\.|everything|empty/);
    expect(JSON.stringify(inboxView({ ...page, ...filter }))).not.toContain('searched');
  }
});

test('views and posts say how many more items and files the service has', () => {
  const one = {
    url: 'u',
    sender: 'carl@example.org',
    createdAt: 1,
    expiresAfter: '7',
    files: ['a', 'b'],
    isGone: false,
    belongsTo: ['C0123456789'],
    downloads: [],
  };
  const large = { ...one, filesLeftOut: 5 };
  const page = { page: 0, unit: 'days' as const, lastFailure: undefined };
  const items = 'The service has 3 more items than Dropline shows.';
  const files = "and 5 more files that Dropline doesn't show";
  const inbox = JSON.stringify(inboxView({ ...page, items: [large], total: 1, leftOut: 3, asOf: new Date() }));
  expect(inbox).toContain(items);
  expect(inbox).toContain(files);
  expect(inbox).toContain('7 files from carl@example.org');
  expect(JSON.stringify(filesView({ ...page, item: large }))).toContain(files);
  expect(baselineAnnouncement(2, 3).text).toContain(items);
  expect(combinedAnnouncement({ items: [one], isRestored: false }, 3).text).toContain(items);
  expect(JSON.stringify(combinedAnnouncement({ items: [large], isRestored: false }, 3).blocks)).toContain(items);
  expect(itemAnnouncement({ item: large, unit: 'days', requesters: [] }).text).toBe(
    '7 files from carl@example.org: a, b and 5 more',
  );
  expect(
    JSON.stringify([
      inboxView({ ...page, items: [one], total: 1, asOf: undefined }),
      combinedAnnouncement({ items: [one], isRestored: false }),
    ]),
  ).not.toMatch(/more (items|files)/);
});
