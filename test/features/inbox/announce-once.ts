import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { Account, ExchangeServer, Fault, InboxItem } from '../../../src/sandbox/exchange/index.ts';
import { user } from '../../helpers/exchange.ts';
import { setUpFeatures, until } from '../../helpers/features.ts';
import type { TestPostgres } from '../../helpers/postgres.ts';
import type { Programs } from '../../helpers/program.ts';
import { createRandom } from '../../helpers/seeded.ts';
import { createPostsSql, type InboxWorkerArgs, startInboxWorker } from '../../programs/inbox.ts';

type Random = ReturnType<typeof createRandom>;

interface PostedRow {
  worker: string;
  /** Counts the posts of this worker, starting at 1. */
  post: number;
  url: string;
}

export async function setUpInboxWorkers(postgres: TestPostgres) {
  const { store, server, account, database, secretKeys, services } = await setUpFeatures(postgres, {
    isSeparate: true,
  });
  await store.pool.query(createPostsSql);
  const secretKey = secretKeys[0]?.toString('base64') ?? '';
  const argsOf = (name: string, crash?: InboxWorkerArgs['crash']): InboxWorkerArgs => ({
    connection: database.connection,
    secretKey,
    name,
    crash,
  });
  const isPolled = async () =>
    (await store.pool.query('select from dropline.polls where last_success_at is not null')).rows.length > 0 ||
    undefined;
  const urls: string[] = [];
  const allAnnounced = async () => {
    const { rows } = await store.pool.query<{ n: number }>(
      'select count(*)::int as n from dropline.inbox_items where announced_at is not null',
    );
    return rows[0]?.n === urls.length || undefined;
  };
  const posts = async () =>
    (await store.pool.query<PostedRow>('select worker, post, url from posts order by number')).rows;
  return { store, server, account, services, argsOf, isPolled, urls, allAnnounced, posts };
}

/**
 * Adds a few items at a time, with changes in between that must not be announced: order, missing items, added files,
 * failures.
 */
async function changeInbox(
  { server, account, urls }: { server: ExchangeServer; account: Account; urls: string[] },
  random: Random,
  items: number,
): Promise<void> {
  const hidden: InboxItem[] = [];
  const empty = { headers: { 'content-type': 'application/json' }, body: '{"history":[],"inbox":[]}' };
  let currentFault: Fault | undefined;
  /** One fault at a time: a service that keeps failing is polled less and less often, which other tests cover. */
  const failNextPoll = (kind: 'answer' | 'reset-before' | 'reset-during') => {
    currentFault?.remove();
    currentFault = server.addFault({ operation: 'get_history', kind, answer: empty });
  };
  const late = () => ({ name: `late-${random.below(1e9)}.pdf`, type: '', bytes: 0, sha256: '' });
  const harmlessChanges = [
    () => account.inbox.reverse(),
    () => hidden.push(...account.inbox.splice(random.below(account.inbox.length), 1)),
    () => account.inbox.unshift(...hidden.splice(0)),
    () => random.pick(account.inbox).files.push(late()),
    () => failNextPoll('answer'),
    () => failNextPoll(random.pick(['reset-before', 'reset-during'])),
  ];
  while (urls.length < items) {
    for (let count = Math.min(random.below(6), items - urls.length); count > 0; count -= 1) {
      const files = [{ name: `file-${urls.length}.pdf`, data: 'x' }];
      const sender = random.pick(['carl@example.org', 'dora@example.net', 'emil@example.com']);
      urls.push((await server.addInboxItem(user, { sender, files })).url);
    }
    if (account.inbox.length > 1) random.pick(harmlessChanges)();
    await sleep(random.below(60));
  }
  account.inbox.push(...hidden.splice(0));
  currentFault?.remove();
}

/** How often each item was posted. */
export function timesPosted(rows: readonly PostedRow[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { url } of rows) times.set(url, (times.get(url) ?? 0) + 1);
  return times;
}

/** Expects that two workers that are restarted again and again announce each item exactly once. */
export async function announceWhileRestarting(postgres: TestPostgres, items: number): Promise<void> {
  const random = createRandom(11);
  const inbox = await setUpInboxWorkers(postgres);
  const start = (name: string) => startInboxWorker(inbox.argsOf(name));
  const workers = [await start('one'), await start('two')];
  let isStopped = false;
  let restarts = 0;
  async function restart(): Promise<void> {
    while (!isStopped) {
      await sleep(random.below(400));
      const [worker] = workers.splice(random.below(2), 1);
      await worker?.stop();
      workers.push(await start(`again ${restarts}`));
      restarts += 1;
    }
  }
  await until(inbox.isPolled, 'the baseline');
  const restarting = restart();
  onTestFinished(async () => {
    isStopped = true;
    await restarting;
    await Promise.all(workers.map((worker) => worker.stop()));
  });
  await changeInbox(inbox, random, items);
  await until(inbox.allAnnounced, 'all items to be announced');
  await until(() => restarts > 3 || undefined, 'enough restarts');
  isStopped = true;
  await restarting;
  // Give duplicates time to appear.
  await sleep(300);
  const times = timesPosted(await inbox.posts());
  expect([...times.keys()].sort()).toEqual(inbox.urls.toSorted());
  expect([...times.values()].filter((count) => count !== 1)).toEqual([]);
  // All processes share the token from connecting. A reset connection can require a second one.
  expect(inbox.account.tokens.length).toBeLessThanOrEqual(2);
}

/** Kills a worker at the second of three posts. Expects that no item is lost and `repeats` posts are repeated. */
export async function killWhileAnnouncing(
  postgres: TestPostgres,
  programs: Programs,
  where: 'before' | 'between',
  repeats: number,
): Promise<void> {
  const { argsOf, isPolled, server, urls, allAnnounced, posts } = await setUpInboxWorkers(postgres);
  const first = await startInboxWorker(argsOf('first'));
  await until(isPolled, 'the baseline');
  await first.stop();
  for (let count = 0; count < 3; count += 1) {
    const files = [{ name: 'a.pdf', data: 'x' }];
    urls.push((await server.addInboxItem(user, { sender: `sender-${count}@example.org`, files })).url);
  }
  const args = JSON.stringify(argsOf('killed', { at: 2, where }));
  const { ended, printed } = programs.run('test/programs/inbox-worker.ts', [args]);
  expect(await ended, printed()).toEqual({ code: null, signal: 'SIGKILL' });
  const last = await startInboxWorker(argsOf('last'));
  onTestFinished(() => last.stop());
  await until(allAnnounced, 'all items to be announced');
  const rows = await posts();
  expect([...timesPosted(rows).keys()].sort()).toEqual(urls.toSorted());
  expect(rows).toHaveLength(urls.length + repeats);
}

/** Expects that kill -9 loses no item and repeats only posts that a kill left unrecorded. */
export async function announceWhileKilling(
  postgres: TestPostgres,
  programs: Programs,
  { items, kills }: { items: number; kills: number },
): Promise<void> {
  const random = createRandom(12);
  const inbox = await setUpInboxWorkers(postgres);
  const killed = new Set<string>();
  let started = 0;
  let isStopped = false;
  onTestFinished(() => {
    isStopped = true;
  });
  /** Starts one process after the other. Each is killed: by itself at a set point, or from outside at any time. */
  async function restartAfterKills(): Promise<void> {
    while (!isStopped) {
      started += 1;
      const name = `worker ${started}`;
      const where = random.pick(['before', 'between', 'anywhere'] as const);
      const crash = where === 'anywhere' ? undefined : { at: 1 + random.below(3), where };
      const args = JSON.stringify(inbox.argsOf(name, crash));
      const { child, nextLine, ended } = programs.run('test/programs/inbox-worker.ts', [args]);
      await nextLine().catch(() => {});
      await Promise.race([ended, sleep(crash === undefined ? random.below(600) : 1_500)]);
      child.kill('SIGKILL');
      await ended;
      killed.add(name);
    }
  }
  const first = await startInboxWorker(inbox.argsOf('first'));
  await until(inbox.isPolled, 'the baseline');
  await first.stop();
  const restarting = [restartAfterKills(), restartAfterKills()];
  for (let kill = 1; kill <= kills; kill += 1) {
    await changeInbox(inbox, random, Math.ceil((items * kill) / kills));
    await until(() => killed.size >= kill || undefined, 'the next kill');
  }
  isStopped = true;
  await Promise.all(restarting);
  const last = await startInboxWorker(inbox.argsOf('last'));
  onTestFinished(() => last.stop());
  await until(inbox.allAnnounced, 'all items to be announced');
  const rows = await inbox.posts();
  expect([...timesPosted(rows).keys()].sort()).toEqual(inbox.urls.toSorted());
  const lastIndexes = new Map(rows.map((row, index) => [row.url, index]));
  const repeated = rows.filter(({ url }, index) => lastIndexes.get(url) !== index);
  // Only a killed process causes a repeat, and only of its last post.
  for (const { worker, post } of repeated) {
    expect(killed).toContain(worker);
    expect(rows.findLast((row) => row.worker === worker)?.post).toBe(post);
  }
}
