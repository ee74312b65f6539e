import { expect, test } from 'vitest';
import { itemsIn } from '../../../src/features/inbox/items/repository.ts';
import { itemsSeenBy } from '../../../src/features/inbox/items/seen.ts';
import { bounds } from '../../../src/lib/bounds.ts';
import { inTransaction } from '../../../src/store/index.ts';
import { pollStateOf } from '../../helpers/desks.ts';
import { user } from '../../helpers/exchange.ts';
import { anna } from '../../helpers/features.ts';
import { answerHistory, item, listInbox, setUpInbox, urlsOf, viewerOfAll } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { announceWithItems, countRows, itemAt, itemsAt, maxItems } from './limits.ts';

const postgres = startTestPostgres();

test('items beyond the limit of one read are also announced and later shown as gone', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  for (const many of [maxItems, 2 * maxItems]) {
    answerHistory(setup, itemsAt(0, many));
    await setup.poll();
  }
  await setup.startWorker();
  await setup.untilDrained();
  const posts = setup.takeNewPosts().filter(({ kind }) => kind !== 'baseline');
  expect(posts.map(({ kind, items }) => [kind, items.length])).toEqual([
    ['many', maxItems],
    ['many', maxItems],
  ]);
  expect(new Set(urlsOf(posts)).size).toBe(2 * maxItems);
  await announceWithItems(setup, []);
  const { rows } = await setup.store.pool.query(
    'select from dropline.inbox_items where gone_at is not null <> gone_shown',
  );
  expect(rows).toEqual([]);
});

test("an item in the inbox isn't shown as gone, however many newer items there are", async () => {
  const setup = await setUpInbox(postgres);
  await announceWithItems(setup, [itemAt(0)]);
  await announceWithItems(setup, itemsAt(0, maxItems + 2));
  const isGone = async () => (await itemsIn(setup.store, 'T1', `${setup.server.url}/${user}`).find('url-0'))?.isGone;
  expect(await isGone()).toBe(false);
  await announceWithItems(setup, []);
  expect(await isGone()).toBe(true);
  await announceWithItems(setup, itemsAt(0, maxItems + 2));
  expect(await isGone()).toBe(false);
  expect(await pollStateOf(setup.store, 'T1')).toMatchObject({ leftOut: 1 });
});

test('the first summary also counts items beyond the item limit', async () => {
  const setup = await setUpInbox(postgres);
  await setup.connectWorkspace('T2');
  await setup.store.pool.query(`update dropline.polls set paused_at = now() where workspace = 'T1'`);
  expect(await announceWithItems(setup, itemsAt(0, maxItems + 3))).toEqual([
    { kind: 'baseline', workspace: 'T2', items: [], count: maxItems, leftOut: 3 },
  ]);
});

test('over the row limit, the items that disappeared first are deleted', async () => {
  const setup = await setUpInbox(postgres);
  await setup.store.pool.query(
    `insert into dropline.inbox_items (workspace, account, url, digest, gone_at, gone_shown, announced_at, belongs_to)
     select 'T1', $1, 'gone-' || n, '', now() - n * interval '1 minute', true, now(), '{admins}'
     from generate_series(1, $2::int) as n`,
    [`${setup.server.url}/${user}`, bounds.inboxRows],
  );
  expect(urlsOf(await announceWithItems(setup, [itemAt(0), itemAt(1)]))).toEqual(['url-0', 'url-1']);
  expect(await countRows(setup)).toBe(bounds.inboxRows);
  const { rows } = await setup.store.pool.query('select url from dropline.inbox_items order by gone_at limit 1');
  expect(rows).toEqual([{ url: `gone-${bounds.inboxRows - 2}` }]);
});

test('items beyond the storage of a workspace wait, and an admin is told once', async () => {
  const setup = await setUpInbox(postgres);
  // Items of an account that was connected before.
  await setup.store.pool.query(
    `insert into dropline.inbox_items (workspace, account, url, digest, details_encrypted, gone_at, announced_at)
     select 'T1', 'former', 'gone-' || n, '', repeat('x', 999_900), now(), now() from generate_series(1, $1::int) as n`,
    [bounds.inboxBytes / 1_000_000],
  );
  const files = Array.from({ length: 200 }, (_, number) => ({ name: `${number}-${'x'.repeat(200)}.pdf` }));
  const listed = [item('fits'), item('large', { files }), item('late')];
  expect(urlsOf(await announceWithItems(setup, listed))).toEqual(['fits', 'late']);
  expect(await pollStateOf(setup.store, 'T1')).toMatchObject({ leftOut: 1 });
  const grown = [item('fits', { files }), ...listed.slice(1)];
  expect(await announceWithItems(setup, grown)).toEqual([]);
  expect(setup.notifications.alarms).toEqual([{ kind: 'inbox-full' }]);
  await setup.store.pool.query(`delete from dropline.inbox_items where url = 'gone-1'`);
  const posts = await announceWithItems(setup, grown);
  expect(posts).toMatchObject([
    { kind: 'item', items: [{ url: 'large' }] },
    { kind: 'changed', items: [{ url: 'fits' }, { url: 'late' }] },
  ]);
  expect(await pollStateOf(setup.store, 'T1')).toMatchObject({ leftOut: 0 });
});

test("in a full workspace, an item can change if its details don't grow", async () => {
  const setup = await setUpInbox(postgres);
  const url = 'one'.repeat(300);
  await announceWithItems(setup, [item(url)]);
  const items = itemsIn(setup.store, 'T1', `${setup.server.url}/${user}`);
  await setup.store.pool.query(
    `insert into dropline.inbox_items (workspace, account, url, digest, details_encrypted, gone_at, announced_at)
     select 'T1', 'former', 'gone-' || n, '', repeat('x', 1_000_000), now(), now() from generate_series(1, $1::int) as n`,
    [bounds.inboxBytes / 1_000_000],
  );
  const change = async (name: string) => {
    await announceWithItems(setup, [item(url, { files: [{ name }] })]);
    return (await items.find(url))?.files;
  };
  expect(await change('b.pdf')).toEqual(['b.pdf']);
  const download = { person: anna.person, file: 'x'.repeat(100_000), at: Date.now() };
  await inTransaction(setup.store.pool, (client) => items.recordDownload(client, url, download));
  expect(await change('longer.pdf')).toEqual(['b.pdf']);
  expect(await change('c')).toEqual(['c']);
  expect(await pollStateOf(setup.store, 'T1')).toMatchObject({ leftOut: 0 });
});

test('scan results per item are limited, malware last, and it can still change', async () => {
  const setup = await setUpInbox(postgres);
  await announceWithItems(setup, [item('one')]);
  const items = itemsIn(setup.store, 'T1', `${setup.server.url}/${user}`);
  const record = (file: string, state: 'infected' | 'not-scanned') =>
    inTransaction(setup.store.pool, (client) => items.recordScan(client, 'one', { file, state, detail: 'Eicar' }));
  await record('first', 'infected');
  for (let number = 0; number < 22; number += 1) await record(`${number} ${'x'.repeat(400_000)}`, 'not-scanned');
  const { scans = [] } = (await items.find('one')) ?? {};
  expect(scans.map(({ file }) => file.split(' ')[0])).toEqual(['17', '18', '19', '20', '21', 'first']);
  const changed = [item('one', { files: [{ name: 'b.pdf' }] })];
  expect(await announceWithItems(setup, changed)).toMatchObject([{ kind: 'changed', items: [{ files: ['b.pdf'] }] }]);
});

test("a contact card finds a sender's item only among the newest, and reports that", async () => {
  const setup = await setUpInbox(postgres);
  const account = `${setup.server.url}/${user}`;
  const latestFrom = async (sender: string) => {
    const { items, searched } = await itemsSeenBy(
      setup.store,
      await viewerOfAll(setup.store, 'T1', account),
    ).latestFrom(sender, 1);
    return [items.length, searched];
  };
  await announceWithItems(setup, [itemAt(0)]);
  await announceWithItems(setup, itemsAt(0, maxItems));
  expect(await latestFrom('Sender-0@example.org')).toEqual([1, undefined]);
  expect(await latestFrom('nobody@example.org')).toEqual([0, undefined]);
  await announceWithItems(setup, itemsAt(1, maxItems + 1));
  expect(await latestFrom('sender-0@example.org')).toEqual([0, maxItems]);
  expect(await latestFrom(`sender-${maxItems}@example.org`)).toEqual([1, undefined]);
});

test('the file names stored per item are limited, and further names are counted', async () => {
  const setup = await setUpInbox(postgres);
  const files = Array.from({ length: bounds.filesPerItem }, (_, number) => ({ name: `${number}.pdf` }));
  const entries = [item('large', { files: files.slice(1) }), item('large', { files })];
  await announceWithItems(setup, entries);
  const [large] = await listInbox(setup.services, anna);
  expect(large?.files).toHaveLength(bounds.filesPerItem);
  expect(large?.filesLeftOut).toBe(bounds.filesPerItem - 1);
  entries[1] = item('large', { files: [...files, { name: 'late.pdf' }] });
  expect(await announceWithItems(setup, entries)).toMatchObject([
    { kind: 'changed', items: [{ filesLeftOut: bounds.filesPerItem }] },
  ]);
  expect(await announceWithItems(setup, [item('large')])).toMatchObject([
    { kind: 'changed', items: [{ files: ['a.pdf'] }] },
  ]);
  expect((await listInbox(setup.services, anna))[0]?.filesLeftOut).toBeUndefined();
});
