/**
 * Polls many workspaces in one process, on an embedded Postgres: `polling.js <folder> <port> <workspaces> <every ms>
 * <intervals> <answer ms>`. Each workspace is polled every `every ms` instead of every minute. The baseline only reads the same
 * inboxes: it has its tokens in memory and stores nothing. Prints the figures as JSON.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createExchange, createMemoryTokens, createServiceAgent, type TokenStore } from '../../src/exchange/index.ts';
import { defaultTiming, type ServiceLogin } from '../../src/features/common/services.ts';
import { createSharedWork } from '../../src/features/common/shared-work.ts';
import { createContactCaches } from '../../src/features/contacts/list/operations.ts';
import { startPoller } from '../../src/features/inbox/poll/poller.ts';
import { startPolling } from '../../src/features/inbox/poll/repository.ts';
import { transferKinds } from '../../src/features/transfer-kinds.ts';
import type { TransferServices } from '../../src/features/transfers/kind.ts';
import { openQueue } from '../../src/jobs/index.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded/index.ts';
import { openStore } from '../../src/store/index.ts';
import { percentile } from './figures.ts';
import { postgresCpuMs } from './postgres-cpu.ts';

const [dataDir = '', port, ...numbers] = process.argv.slice(2);
const [workspaces = 0, everyMs = 0, intervals = 0, answerMs = 0] = numbers.map(Number);
/** How much faster than in production the polls run. */
const speedup = 60_000 / everyMs;

const postgres = await startEmbeddedPostgres({ dataDir });
const store = await openStore({ connection: postgres.connection, secretKeys: [randomBytes(32)] });
const queue = await openQueue(store.pool);
const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });

const loginOf = (number: number): ServiceLogin => ({
  baseUrl: `http://127.0.0.1:${port}/20${answerMs > 0 ? `-${answerMs}` : ''}`,
  username: `workspace-${number}@example.com`,
  apiKey: 'key',
});
const clientOf = (login: ServiceLogin, tokens: TokenStore) =>
  createExchange({ ...login, tokens, dispatcher, limits: { tokenLifeMs: (12 * 60_000) / speedup } });

let polls = 0;
let transactions = 0;
store.pool.on('acquire', () => {
  transactions += 1;
});
const notUsed = () => Promise.reject(new Error('not used in this process'));
const services: TransferServices = {
  kinds: transferKinds,
  store,
  queue,
  log: { debug() {}, info() {}, warn() {}, error() {} },
  connectTo(login) {
    polls += 1;
    return clientOf(login, store.tokens);
  },
  people: {
    roleOf: notUsed,
    zoneOf: notUsed,
    membersOf: notUsed,
    isGuest: notUsed,
    everyoneIn: notUsed,
    channelState: notUsed,
  },
  sources: { inspect: notUsed, open: notUsed },
  notifier: {
    progress() {},
    transferEnded: notUsed,
    approvalChanged: notUsed,
    transferPaused: notUsed,
    workChanged: notUsed,
    alarm: notUsed,
    contactsEdited: notUsed,
    disconnected: notUsed,
    adminNotice: notUsed,
    channelChosen: notUsed,
    guestsFound: notUsed,
  },
  announcer: {
    postItems: notUsed,
    postSummary: notUsed,
    postBaseline: notUsed,
    updatePost: notUsed,
  },
  timing: defaultTiming,
  contactCaches: createContactCaches(defaultTiming),
  ...createSharedWork(),
};

/** Runs the work for each workspace, or for the first `count`, several at a time. */
async function forEachWorkspace(work: (number: number) => Promise<unknown>, count = workspaces): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 20 }, worker));
}

const { digest } = await clientOf(loginOf(0), createMemoryTokens()).readInbox();

/** CPU time of this process per bare read of an inbox, without stored results, claims or shared tokens. */
async function measureBareMs(): Promise<number> {
  const tokens = createMemoryTokens();
  const readCount = Math.min(workspaces, 1_000);
  const read = (number: number) => clientOf(loginOf(number), tokens).readInbox({ knownDigest: digest });
  const readAll = () => forEachWorkspace(read, readCount);
  await readAll(); // fetches the tokens and warms up
  const before = process.cpuUsage();
  for (let round = 0; round < intervals; round += 1) await readAll();
  return cpuMsSince(before) / (readCount * intervals);
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Spreads the polls over the interval, as the poller does after the first poll. */
async function spreadPolls(): Promise<void> {
  await store.pool.query(`update dropline.polls set next_at = now() + random() * $1 * interval '1 millisecond'`, [
    everyMs,
  ]);
}

/** The time from when each workspace's last poll was due until it was done. */
async function measureLags(since: Date): Promise<number[]> {
  const { rows } = await store.pool.query<{ lag: number }>(
    `select (extract(epoch from last_at - next_at) * 1000 + $1)::float8 as lag from dropline.polls where last_at > $2`,
    [everyMs, since],
  );
  return rows.map(({ lag }) => lag);
}

const bare = await measureBareMs();
await forEachWorkspace(async (number) => {
  const workspace = `T${number}`;
  await store.credentials.set(workspace, { ...loginOf(number), connectedBy: 'U1', connectedAt: 0 });
  await startPolling(store.pool, { workspace, account: services.connectTo(loginOf(number)).account });
});
// As after a first poll, which isn't measured: it records the whole inbox.
await store.pool.query('update dropline.polls set digest = $1, last_success_at = now()', [digest]);
await spreadPolls();
const poller = startPoller(services, { everyMs });
// Until each has been polled, with a token of its own.
polls = 0;
while (polls < workspaces) await sleep(100);
await sleep(1_000);
const before = { polls, transactions, postgresMs: await postgresCpuMs(store.pool), own: process.cpuUsage() };
const lag: number[] = [];
for (let interval = 0; interval < intervals; interval += 1) {
  const since = new Date();
  await sleep(everyMs);
  lag.push(...(await measureLags(since)));
}
const measured = polls - before.polls;
const figures = {
  measured,
  bareMs: bare,
  ownMs: cpuMsSince(before.own) / measured,
  postgresMs: ((await postgresCpuMs(store.pool)) - before.postgresMs) / measured,
  transactions: (transactions - before.transactions) / measured,
};
await poller.stop();
const rssMb = process.resourceUsage().maxRSS / 1024;
process.stdout.write(
  JSON.stringify({ ...figures, lagP50: percentile(lag, 0.5), lagP99: percentile(lag, 0.99), rssMb }),
);
await queue.close();
await dispatcher.close();
await store.close();
await postgres.stop();
