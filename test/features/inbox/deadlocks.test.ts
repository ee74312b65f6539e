import { expect, test } from 'vitest';
import type { InboxItem as ServiceItem } from '../../../src/exchange/index.ts';
import type { InboxItem } from '../../../src/features/common/services.ts';
import { announcementsIn } from '../../../src/features/inbox/announce/repository.ts';
import { itemSync } from '../../../src/features/inbox/items/sync.ts';
import { expiringIn } from '../../../src/features/inbox/reminders/repository.ts';
import { inTransaction, type Store } from '../../../src/store/index.ts';
import { setUpFeatures, until } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

const workspace = 'T1';
const account = 'account';
// The URLs are stored in reverse order, so a change that doesn't sort them locks `b` before `a`.
const urls = ['b', 'a'];
const listed = (url: string, names: string[]): ServiceItem => ({
  url,
  sender: 'carl@example.org',
  createdAt: undefined,
  expiresAfter: undefined,
  files: names.map((name) => ({ name })),
});

const changes: [name: string, change: (store: Store) => Promise<unknown>][] = [
  [
    'a poll that finds one item changed and one gone',
    (store) =>
      inTransaction(store.pool, (client) =>
        itemSync(store, workspace, account).record(client, [listed('b', ['b.pdf', 'new.pdf'])], false, () => ['C1']),
      ),
  ],
  ['a summary', async (store) => announcementsOf(store).markAnnouncedInSummary(await listWaiting(store), ['C1'])],
  ['an update of posts', async (store) => announcementsOf(store).markShown(await listWaiting(store))],
  ['a reminder', async (store) => expiringIn(store, workspace, account).markReminded(await listWaiting(store))],
];

async function listWaiting(store: Store): Promise<InboxItem[]> {
  const items: InboxItem[] = [];
  for await (const batch of announcementsOf(store).listWaiting()) items.push(...batch);
  return items;
}

const announcementsOf = (store: Store) => announcementsIn(store, workspace, account);

test.each(changes)('recording a post never deadlocks with %s', async (_, change) => {
  const { store } = await setUpFeatures(postgres, { isSeparate: true });
  const { pool } = store;
  await inTransaction(pool, (client) =>
    itemSync(store, workspace, account).record(
      client,
      urls.map((url) => listed(url, [`${url}.pdf`])),
      false,
      () => ['C1'],
    ),
  );
  const waiting = await listWaiting(store);
  const untilWaiting = (count: number) =>
    until(async () => {
      const { rowCount } = await pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rowCount === count || undefined;
    }, `${count} transactions that wait for a lock`);
  const changed: Promise<unknown>[] = [];
  await inTransaction(pool, async (client) => {
    await client.query(`select from dropline.inbox_items where url = 'a' for update`);
    changed.push(
      announcementsOf(store).markAnnounced(waiting, { location: { channel: 'C1', ts: '1.1' }, belongsTo: ['C1'] }),
    );
    await untilWaiting(1);
    changed.push(change(store));
    await untilWaiting(2);
  });
  expect(await Promise.allSettled(changed)).toEqual(
    changed.map(() => expect.objectContaining({ status: 'fulfilled' })),
  );
});
