import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import { admin, anna, until } from '../../helpers/features.ts';
import { setUpInbox, urlsOf } from '../../helpers/inbox.ts';
import { inboxChannel } from '../../helpers/inbox-channels.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { insertRequest } from './replies.ts';

const postgres = startTestPostgres();

test('a long announcement job yields to other workspaces and continues later', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { arrive, poll, services, startWorker, connectWorkspace, untilDrained, takeNewPosts } = setup;
  await connectWorkspace('T2');
  await poll();
  services.timing = { ...services.timing, announceMs: 0 };
  const first = [await arrive(), await arrive(), await arrive()];
  await poll();
  await arrive('carl@example.org', ['a.pdf'], 't2@example.com');
  await poll();
  await startWorker({ concurrency: 1 });
  await untilDrained();
  const posts = takeNewPosts().filter(({ kind }) => kind === 'item');
  expect(posts.map(({ workspace }) => workspace)).toEqual(['T1', 'T2', 'T1', 'T1']);
  expect(urlsOf(posts.filter(({ workspace }) => workspace === 'T1'))).toEqual(first.map(({ url }) => url));
});

test('new items are posted in ten channels at a time', async () => {
  const setup = await setUpInbox(postgres);
  const domains = Array.from({ length: 13 }, (_, number) => `sender${number}.example`);
  await changeSettings(setup.services, admin, {
    inboxChannels: domains.map((domain, number) => inboxChannel(`C-${number}`, { senders: [domain] })),
  });
  for (const domain of domains) await setup.arrive(`carl@${domain}`);
  let posting = 0;
  let most = 0;
  setup.beforePost = async () => {
    posting += 1;
    most = Math.max(most, posting);
    await until(() => (most >= 10 ? true : undefined), 'posts in ten channels');
    await sleep(200);
    posting -= 1;
  };
  expect(await setup.pollAndAnnounce()).toHaveLength(13);
  expect(most).toBe(10);
});

test('if an item in a summary gets new files, no post is updated', async () => {
  const { arrive, pollAndAnnounce, account, store } = await setUpInbox(postgres);
  for (let count = 0; count < 11; count += 1) await arrive();
  await pollAndAnnounce();
  account.inbox[3]?.files.push({ name: 'late.pdf', type: 'application/pdf', bytes: 1, sha256: '' });
  expect(await pollAndAnnounce()).toEqual([]);
  const { rows } = await store.pool.query('select from dropline.inbox_items where changed_at is not null');
  expect(rows).toEqual([]);
});

test('only a summary for admins counts the items beyond the limit', async () => {
  const setup = await setUpInbox(postgres, { isWorking: false });
  const { arrive, poll, store, startWorker, untilDrained, takeNewPosts } = setup;
  const { take } = await insertRequest(setup, anna.person, 'carl@example.org');
  await take('accept', 'sent');
  const names = Array.from({ length: 11 }, (_, number) => `${number}.pdf`);
  for (let count = 0; count < 11; count += 1) await arrive('carl@example.org', names);
  for (let count = 0; count < 11; count += 1) await arrive();
  await poll();
  await store.pool.query('update dropline.polls set left_out = 5');
  await startWorker();
  await untilDrained();
  const summaries = takeNewPosts().filter(({ kind }) => kind === 'many');
  expect(summaries.map(({ requestMatch, leftOut }) => [requestMatch?.kind, leftOut]).sort()).toEqual([
    ['reply', undefined],
    ['unrequested', 5],
  ]);
});
