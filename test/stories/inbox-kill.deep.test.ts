import { expect, test } from 'vitest';
import { laterDigest, skipDay } from '../helpers/digests.ts';
import { user } from '../helpers/exchange.ts';
import { sha256, until } from '../helpers/features.ts';
import { type InboxApp, setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { type RunningProgram, usePrograms } from '../helpers/program.ts';
import type { BotWorkerArgs } from '../programs/bot-worker.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

/** Two workers that can be killed and replaced. */
function workersOf({ database, env, slack }: Pick<InboxApp, 'database' | 'env' | 'slack'>) {
  const args: BotWorkerArgs = {
    databaseUrl: database.connectionString,
    secretKey: env.SECRET_KEY ?? '',
    slackApiUrl: slack.apiUrl,
  };
  let running: RunningProgram[] = [];
  const start = async (count = 2) => {
    const run = () => programs.run('test/programs/bot-worker.ts', [JSON.stringify(args)]);
    running = Array.from({ length: count }, run);
    await Promise.all(running.map(({ nextLine }) => nextLine()));
  };
  return {
    start,
    async replace() {
      // Kill both at once, because a surviving worker would take over the other's jobs.
      for (const { child } of running) child.kill('SIGKILL');
      await Promise.all(running.map(({ ended }) => ended));
      await start();
    },
  };
}

async function setUpWorkers() {
  let workers: ReturnType<typeof workersOf> | undefined;
  const app = await setUpInboxApp(postgres, {
    isWorking: false,
    beforeConnect: async (bot) => {
      workers = workersOf(bot);
      await workers.start();
    },
  });
  if (workers === undefined) throw new Error('no worker was started');
  return { ...app, workers };
}

/** The call at which workers are killed: before Slack carries it out, or after that but before Slack answers. */
type Point = [method: string, kind: 'hang' | 'hang-after'];
const beforeAndAfter = (method: string): Point[] => [
  [method, 'hang'],
  [method, 'hang-after'],
];

const announcePoints: Point[] = [...beforeAndAfter('conversations.info'), ...beforeAndAfter('chat.postMessage')];

test('killing workers loses no item and repeats only a post whose answer was lost', async () => {
  const { slack, addItem, inbox, workers } = await setUpWorkers();
  const postsOf = (sender: string) => inbox.messages.filter(({ text }) => text.includes(sender)).length;
  let number = 0;
  for (const [method, kind] of [...announcePoints, ...announcePoints]) {
    number += 1;
    const sender = `sender-${number}@example.org`;
    const fault = slack.addFault({ method, kind });
    await addItem(sender, ['plan.pdf']);
    await fault.triggered;
    await workers.replace();
    const isRepeated = method === 'chat.postMessage' && kind === 'hang-after';
    await until(() => postsOf(sender) >= (isRepeated ? 2 : 1) || undefined, `the post of ${method} ${kind}`);
    expect(postsOf(sender), `${method} ${kind}`).toBe(isRepeated ? 2 : 1);
  }
  await addItem('last@example.org', ['plan.pdf']);
  await until(() => postsOf('last@example.org') || undefined, 'the last post');
  for (let sender = 1; sender <= number; sender += 1)
    expect(postsOf(`sender-${sender}@example.org`)).toBeLessThanOrEqual(2);
}, 240_000);

test('a digest is complete even if workers are killed while posting it', async () => {
  const { slack, addItem, inbox, workers, services, changeInbox } = await setUpWorkers();
  const { pool } = services.store;
  await changeInbox(laterDigest());
  const waiting = 'select from dropline.inbox_items where announced_at is null';
  for (const [index, [method, kind]] of announcePoints.entries()) {
    const senders = ['a', 'b'].map((name) => `${name}${index}@example.org`);
    for (const sender of senders) await addItem(sender, ['plan.pdf']);
    await until(async () => (await pool.query(waiting)).rowCount === 2 || undefined, 'the items');
    const posts = () => inbox.messages.filter(({ text }) => senders.some((sender) => text.includes(sender)));
    expect(posts()).toEqual([]);
    const fault = slack.addFault({ method, kind });
    let isTriggered = false;
    void fault.triggered.then(() => (isTriggered = true));
    // The job of the second item can schedule the digest again for the next day.
    const skipDayAgain = async () => ((await skipDay(pool)) >= 0 && isTriggered) || undefined;
    await until(skipDayAgain, `${method} ${kind}`);
    await workers.replace();
    await until(async () => (await pool.query(waiting)).rowCount === 0 || undefined, `the digest of ${method} ${kind}`);
    const isRepeated = method === 'chat.postMessage' && kind === 'hang-after';
    expect(posts().map(({ text }) => senders.every((sender) => text.includes(sender)))).toEqual(
      isRepeated ? [true, true] : [true],
    );
  }
}, 240_000);

const downloadPoints: Point[] = [
  'chat.postMessage',
  'files.getUploadURLExternal',
  'upload',
  'files.completeUploadExternal',
  'files.info',
  'chat.delete',
].flatMap(beforeAndAfter);

test('a file arrives complete and once if both workers are killed while downloading', async () => {
  const { slack, addItem, bo, acme, workers, exchange } = await setUpWorkers();
  slack.behaviour.secondShare = 'shared';
  const data = Buffer.alloc(500_000, 'a stretch of a file; ');
  const names = downloadPoints.map(([method, kind]) => `${method} ${kind}`);
  // A post shows at most ten files.
  for (const [number, half] of [names.slice(0, 6), names.slice(6)].entries()) {
    const files = half.map((name) => ({ name, data }));
    await addItem(`sender-${number}@example.org`, files);
  }
  await bo.sees(/(6 files from sender-[\s\S]*){2}/);
  for (const [index, [method, kind]] of downloadPoints.entries()) {
    const name = names[index] ?? '';
    const fault = slack.addFault({ method, kind });
    await bo.clicks(`Download ${name}`);
    await fault.triggered;
    await workers.replace();
    const filesOf = () => acme.files.filter(({ title }) => title === name);
    await until(() => filesOf().some(({ shares }) => shares.length > 0) || undefined, name);
    expect(filesOf().map((file) => file.sha256)).toEqual([sha256(data)]);
  }
  await bo.sees(new RegExp(`(Downloaded by[\\s\\S]*){${names.length}}`));
  expect(exchange.account(user).inbox.flatMap(({ files }) => files)).toHaveLength(names.length);
  expect(acme.files.map(({ shares }) => shares.length)).toEqual(names.map(() => 1));
}, 240_000);

const takeOverPoints: Point[] = ['chat.update', 'chat.postMessage'].flatMap(beforeAndAfter);

test('the person whose item is taken over is notified even if workers are killed', async () => {
  const { slack, addItem, anna, bo, workers, changeInbox } = await setUpWorkers();
  await changeInbox({ takeAndDone: true });
  for (const [method, kind] of takeOverPoints) {
    const sender = `${method}-${kind}@example.org`;
    const title = `1 file from ${sender}`;
    await addItem(sender, ['plan.pdf']);
    await bo.opens('#inbox');
    await bo.clicks(`Take ${title}`);
    await anna.clicks(`Take over… ${title}`);
    await anna.sees('@Bo has had it since');
    const fault = slack.addFault({ method, kind });
    await anna.submits('Take over');
    await fault.triggered;
    await workers.replace();
    await anna.closes();
    const isShown = () => bo.messages.some(({ text }) => text.includes(title) && text.includes('Taken by @Anna'));
    await until(() => isShown() || undefined, `the post after ${method} ${kind}`);
    const messages = () =>
      bo.messages.filter(({ text }) => text.includes(`@Anna took over ${title}, which you had taken.`)).length;
    const isRepeated = method === 'chat.postMessage' && kind === 'hang-after';
    await until(() => messages() >= (isRepeated ? 2 : 1) || undefined, `the message after ${method} ${kind}`);
    expect(messages(), `${method} ${kind}`).toBe(isRepeated ? 2 : 1);
  }
}, 240_000);
