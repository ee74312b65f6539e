import { expect, test } from 'vitest';
import { disconnect } from '../../../src/features/account/leave/operations.ts';
import { itemIdOf } from '../../../src/features/common/ids.ts';
import { itemsIn } from '../../../src/features/inbox/items/repository.ts';
import {
  finishItem,
  reopenItem,
  takeItem,
  takeOverItem,
  type WorkResult,
} from '../../../src/features/inbox/work/operations.ts';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import { admin, anna, bo, until } from '../../helpers/features.ts';
import { setUpInbox } from '../../helpers/inbox.ts';
import { inboxChannel } from '../../helpers/inbox-channels.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();
const cleo = { workspace: 'T1', person: 'U-cleo' };

/** Announces one item in a channel whose posts have the buttons Take and Done. */
async function setUp() {
  const setup = await setUpInbox(postgres);
  const { services, arrive, pollAndAnnounce, store, server, account } = setup;
  await changeSettings(services, admin, { inboxChannels: [inboxChannel('C1', { takeAndDone: true })] });
  const { url } = await arrive();
  await pollAndAnnounce();
  const items = itemsIn(store, 'T1', `${server.url}/${account.user}`);
  const readWork = async () => {
    const { taken, done } = (await items.find(url))?.work ?? {};
    return { taken: taken?.person, done: done?.person };
  };
  const readActs = async () => {
    const entries = await store.audit.list('T1', { limit: 200 });
    const workActions = ['take', 'take over', 'mark done', 'reopen'];
    return entries
      .filter(({ action, outcome }) => workActions.includes(action) && outcome === 'done')
      .map(({ action }) => action);
  };
  return { ...setup, inbox: setup, id: itemIdOf(url), url, items, readWork, readActs };
}

const countChanged = (results: readonly WorkResult[]) => results.filter(({ isChanged }) => isChanged).length;

test('one of many concurrent clicks counts, and each change has one audit entry', async () => {
  const { services, id, readWork, readActs } = await setUp();
  const people = Array.from({ length: 20 }, (_, number) => ({ workspace: 'T1', person: `U-${number}` }));
  const took = await Promise.all([...people, ...people].map((person) => takeItem(services, person, id)));
  expect(countChanged(took)).toBe(1);
  const { taken } = await readWork();
  expect(new Set(took.map(({ item }) => item.work?.taken?.person))).toEqual(new Set([taken]));
  const holder = taken ?? '';
  const others = people.filter(({ person }) => person !== holder);
  const tookOver = await Promise.all(others.map((person) => takeOverItem(services, person, id, holder)));
  expect(countChanged(tookOver)).toBe(1);
  expect((await readWork()).taken).not.toBe(holder);
  expect(countChanged(await Promise.all(people.map((person) => finishItem(services, person, id))))).toBe(1);
  expect(countChanged(await Promise.all(people.map((person) => takeItem(services, person, id))))).toBe(0);
  expect(countChanged(await Promise.all(people.map((person) => reopenItem(services, person, id))))).toBe(1);
  expect((await readActs()).reverse()).toEqual(['take', 'take over', 'mark done', 'reopen']);
});

test('if the audit entry of a take-over fails, nothing changes and no one is notified', async () => {
  const { services, id, readWork, readActs, notifications, untilDrained, store } = await setUp();
  await takeItem(services, anna, id);
  await untilDrained();
  // The audit entry is written after the item, so the item's change must be rolled back.
  await store.pool.query(`alter table dropline.audit add constraint refused check (action <> 'take over') not valid`);
  await expect(takeOverItem(services, bo, id, anna.person)).rejects.toMatchObject({ constraint: 'refused' });
  await store.pool.query('alter table dropline.audit drop constraint refused');
  await untilDrained();
  expect(await readWork()).toEqual({ taken: anna.person, done: undefined });
  expect(notifications.work).toEqual([]);
  expect((await takeOverItem(services, bo, id, anna.person)).isChanged).toBe(true);
  // Submitting the same form again changes nothing.
  expect((await takeOverItem(services, bo, id, anna.person)).isChanged).toBe(false);
  await untilDrained();
  expect(notifications.work).toEqual([{ person: anna.person, what: 'taken' }]);
  expect(await readActs()).toEqual(['take over', 'take']);
});

test('a post shows every change of its item, even one made while the post is updated', async () => {
  const { services, id, posts, untilDrained, inbox } = await setUp();
  let isFirst = true;
  inbox.beforePost = async ({ kind }) => {
    if (kind !== 'changed' || !isFirst) return;
    isFirst = false;
    await finishItem(services, bo, id);
  };
  await takeItem(services, anna, id);
  await until(() => posts.at(-1)?.items[0]?.work?.done, 'the post to show Done');
  await untilDrained();
  expect(posts.at(-1)?.items[0]?.work).toMatchObject({
    taken: { person: anna.person },
    done: { person: bo.person },
  });
});

test('guests, people without the permission and other workspaces are refused', async () => {
  const { services, id, readWork, roles, addWorkspace } = await setUp();
  roles.set('U-gus', 'none');
  await addWorkspace('T2');
  await takeItem(services, anna, id);
  await changeSettings(services, admin, {
    downloaders: [anna.person],
  });
  const others = [
    [{ workspace: 'T1', person: 'U-gus' }, 'not-allowed'],
    [cleo, 'not-allowed'],
    [{ workspace: 'T2', person: anna.person }, 'not-found'],
  ] as const;
  for (const [actor, code] of others) {
    for (const click of [takeItem, finishItem, reopenItem])
      await expect(click(services, actor, id)).rejects.toMatchObject({ code });
    await expect(takeOverItem(services, actor, id, anna.person)).rejects.toMatchObject({ code });
  }
  for (const forged of ['', 'x', '%', `${id}0`, '\0'])
    await expect(takeItem(services, anna, forged)).rejects.toMatchObject({ code: 'not-found' });
  expect(await readWork()).toEqual({ taken: anna.person, done: undefined });
});

test('an infected or missing item can be marked as done and reopened, but not taken', async () => {
  const { services, id, url, items, account, poll, readWork, store } = await setUp();
  const file = (await items.find(url))?.files[0] ?? '';
  await items.recordScan(store.pool, url, { file, state: 'infected', detail: 'Test' });
  await expect(takeItem(services, anna, id)).rejects.toMatchObject({ code: 'infected' });
  account.inbox.splice(0);
  await poll();
  await expect(takeItem(services, anna, id)).rejects.toMatchObject({ code: 'not-found' });
  expect((await finishItem(services, anna, id)).isChanged).toBe(true);
  expect((await reopenItem(services, anna, id)).isChanged).toBe(true);
  expect(await readWork()).toEqual({ taken: undefined, done: undefined });
});

test('disconnecting deletes inbox items and discards queued notifications', async () => {
  const { services, id, notifications, startWorker, untilDrained, store } = await setUpIdle();
  await takeItem(services, anna, id);
  await takeOverItem(services, bo, id, anna.person);
  await disconnect(services, admin);
  await startWorker();
  await untilDrained();
  expect(notifications.work).toEqual([]);
  await expect(takeItem(services, anna, id)).rejects.toMatchObject({ code: 'not-connected' });
  const { rows } = await store.pool.query(`select url from dropline.inbox_items where workspace = 'T1'`);
  expect(rows).toEqual([]);
});

/** Like `setUp`, without a worker, so the item isn't announced. */
async function setUpIdle() {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { services, arrive, poll } = setup;
  await changeSettings(services, admin, { inboxChannels: [inboxChannel('C1', { takeAndDone: true })] });
  const { url } = await arrive();
  await poll();
  return { ...setup, id: itemIdOf(url) };
}
