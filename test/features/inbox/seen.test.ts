import { expect, test } from 'vitest';
import { itemIdOf } from '../../../src/features/common/ids.ts';
import { type Search, workFilters } from '../../../src/features/inbox/items/search.ts';
import { itemsSeenBy, type Viewer } from '../../../src/features/inbox/items/seen.ts';
import { finishItem, takeItem } from '../../../src/features/inbox/work/operations.ts';
import { workSeenBy } from '../../../src/features/inbox/work/repository.ts';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import { admin, anna } from '../../helpers/features.ts';
import { setUpInbox, viewerOfAll } from '../../helpers/inbox.ts';
import { inboxChannel } from '../../helpers/inbox-channels.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

type Repository<T> = { [Name in keyof T]: (repository: T) => Promise<unknown>[] };

const visited = async (search: Search) => {
  let many = 0;
  await search(() => {
    many += 1;
    return true;
  });
  return many;
};

/** How to call every function that reads items for a person. A new function needs an entry, or this doesn't compile. */
const reads: Repository<ReturnType<typeof itemsSeenBy>> & Repository<ReturnType<typeof workSeenBy>> = {
  list: ({ list }) => [list(10, 0).then(({ length }) => length)],
  page: ({ page }) => [page(0, 10).then(total), page(0, 10, () => true).then(total)],
  latestFrom: ({ latestFrom }) => [latestFrom('carl@example.org', 10).then(({ items }) => items.length)],
  search: ({ search }) => workFilters.map((filter) => visited(search(filter))),
  countTaken: ({ countTaken }) => [countTaken()],
};
const total = (page: { items: unknown[]; total: number }) => page.items.length + page.total;

test('no query lists or counts items for a person without what they belong to', async () => {
  const { arrive, pollAndAnnounce, services, store } = await setUpInbox(postgres);
  await changeSettings(services, admin, {
    inboxChannels: [inboxChannel('C1', { everythingElse: true, takeAndDone: true })],
  });
  const items = [await arrive('carl@example.org'), await arrive('carl@example.org'), await arrive('carl@example.org')];
  await pollAndAnnounce();
  const [, taken, done] = items.map(({ url }) => itemIdOf(url));
  await takeItem(services, anna, taken ?? '');
  await finishItem(services, anna, done ?? '');
  const account = (await store.credentials.accountOf({ workspace: 'T1' })) ?? '';
  const readsOf = async (viewer: Viewer) => {
    const [seen, work] = [itemsSeenBy(store, viewer), workSeenBy(store, viewer)];
    expect([...Object.keys(seen), ...Object.keys(work)].sort()).toEqual(Object.keys(reads).sort());
    const found = Object.entries(reads).map(([name, read]) => [name, read({ ...seen, ...work })] as const);
    return Promise.all(found.map(async ([name, read]) => [name, await Promise.all(read)]));
  };
  const all = { ...(await viewerOfAll(store, 'T1', account)), person: anna.person };
  expect(await readsOf(all)).toEqual([
    ['list', [3]],
    ['page', [6, 6]],
    ['latestFrom', [3]],
    ['search', [1, 1, 1]],
    ['countTaken', [1]],
  ]);
  for (const owners of [[], ['C2'], ['admins', anna.person], ['C%'], ['']]) {
    const found = await readsOf({ ...all, owners });
    expect(
      found.flatMap(([, numbers]) => numbers).filter((number) => number !== 0),
      owners.join(),
    ).toEqual([]);
  }
});
