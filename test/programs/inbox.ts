import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createExchange, createServiceAgent } from '../../src/exchange/index.ts';
import { defaultTiming, type InboxAnnouncer, type NewPost } from '../../src/features/common/services.ts';
import { createSharedWork } from '../../src/features/common/shared-work.ts';
import { createContactCaches } from '../../src/features/contacts/list/operations.ts';
import { announceJob, digestsChangedJob } from '../../src/features/inbox/announce/jobs.ts';
import { startPoller } from '../../src/features/inbox/poll/poller.ts';
import { transferKinds } from '../../src/features/transfer-kinds.ts';
import type { TransferServices } from '../../src/features/transfers/kind.ts';
import { openQueue, startRunner } from '../../src/jobs/index.ts';
import { openStore } from '../../src/store/index.ts';

export interface InboxWorkerArgs {
  connection: pg.ClientConfig;
  secretKey: string;
  /** Recorded with each post, to tell workers apart. */
  name: string;
  /** Kills the process at this post: before it is made, or between making and recording it. */
  crash?: { at: number; where: 'before' | 'between' } | undefined;
}

export const createPostsSql = 'create table posts (number serial, worker text, post int, url text)';

/** Starts a worker that polls and announces. It inserts its posts into the table `posts`. */
export async function startInboxWorker({ connection, secretKey, name, crash }: InboxWorkerArgs) {
  const store = await openStore({
    connection,
    secretKeys: [Buffer.from(secretKey, 'base64')],
    maxConnections: 6,
  });
  const queue = await openQueue(store.pool);
  const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });
  let postCount = 0;
  const crashIf = async (where: 'before' | 'between') => {
    if (crash?.where !== where || postCount !== crash.at) return;
    process.kill(process.pid, 'SIGKILL');
    await sleep(60_000); // SIGKILL arrives before the next line can run
  };
  const post = async ({ items }: NewPost, check: () => Promise<void>) => {
    await check();
    postCount += 1;
    await crashIf('before');
    const sql = 'insert into posts (worker, post, url) select $1, $2, unnest($3::text[])';
    await store.pool.query(sql, [name, postCount, items.map(({ url }) => url)]);
    await crashIf('between');
    return { location: { channel: 'C1', ts: `${postCount} of ${name}` }, belongsTo: ['C1'] };
  };
  const notUsed = () => Promise.reject(new Error('not used in this process'));
  const announcer: InboxAnnouncer = {
    postItems: (_, newPost, check) => post(newPost, check),
    postSummary: (_, newPost, _leftOut, check) => post(newPost, check),
    postBaseline: async () => {},
    updatePost: async () => {},
  };
  const services: TransferServices = {
    kinds: transferKinds,
    store,
    queue,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    connectTo: (login) => createExchange({ ...login, tokens: store.tokens, dispatcher }),
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
    announcer,
    timing: defaultTiming,
    contactCaches: createContactCaches(defaultTiming),
    ...createSharedWork(),
  };
  const poller = startPoller(services, { everyMs: 60, tickMs: 15, leaseMs: 1_000 });
  const handlers = [announceJob(services), digestsChangedJob(services)];
  const runner = await startRunner({ store, handlers, deadAfterSeconds: 0.5, reapEveryMs: 200, concurrency: 2 });
  return {
    async stop() {
      await poller.stop();
      await runner.stop();
      await queue.close();
      await dispatcher.close();
      await store.close();
    },
  };
}
