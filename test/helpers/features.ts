import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { createExchange, createServiceAgent, type Exchange } from '../../src/exchange/index.ts';
import { connect } from '../../src/features/account/connect/operations.ts';
import type {
  Actor,
  Alarm,
  EditOutcome,
  Phrase,
  Progress,
  RequestMatch,
  Role,
} from '../../src/features/common/services.ts';
import { createSharedWork } from '../../src/features/common/shared-work.ts';
import { createContactCaches } from '../../src/features/contacts/list/operations.ts';
import { ownersOf } from '../../src/features/inbox/announce/operations.ts';
import { operationJobs } from '../../src/features/jobs.ts';
import { transferKinds } from '../../src/features/transfer-kinds.ts';
import type { TransferServices } from '../../src/features/transfers/kind.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { confirmSend, prepareSend, type SendDraft } from '../../src/features/transfers/send/operations.ts';
import type { Transfer } from '../../src/features/transfers/transfer.ts';
import type { Runner } from '../../src/jobs/index.ts';
import {
  type Account,
  type ExchangeServer,
  type ExchangeServerOptions,
  startExchangeServer,
} from '../../src/sandbox/exchange/index.ts';
import type { Store } from '../../src/store/index.ts';
import { apiKey, user } from './exchange.ts';
import { type JobsSetup, setUpJobs, shareJobs } from './jobs.ts';
import type { TestPostgres } from './postgres.ts';

export const anna: Actor = { workspace: 'T1', person: 'U-anna' };
export const bo: Actor = { workspace: 'T1', person: 'U-bo' };
export const admin: Actor = { workspace: 'T1', person: 'U-admin' };

/** Short delays: these tests are about order, not duration. */
export const quickTiming = {
  reconcilePauseMs: 20,
  verifyPausesMs: [0, 10, 20],
  lateCheckPausesMs: [],
  contactsTtlMs: 0,
  gonePauseMs: 100,
  noChannelPauseMs: 200,
  channelCheckMs: 200,
  announceMs: 60_000,
  reminderSpreadMs: 0,
  healthMs: 8_000,
  stateCheckMs: 50,
  longestUndoMs: 0,
  batchMs: 100,
  stallMs: 20_000,
  readerBytesPerSecond: 1_000,
  scanSlotMs: 20_000,
  shareCheckPausesMs: [20, 50, 100, 200, 400, 800, 1_500],
  connectionPauseMs: 0,
};

/** The notifications that people got. */
export interface Notifications {
  progress: Progress[];
  ended: string[];
  approvals: string[];
  paused: string[];
  work: { person: string; what: string }[];
  alarms: Alarm[];
  edits: { id: string; person: string; outcome: EditOutcome }[];
  disconnected: { person: string; isClean: boolean }[];
  admins: { person: string; by: string; changes: Phrase[] }[];
  posts: {
    kind: 'item' | 'many' | 'baseline' | 'changed';
    urls: string[];
    requestMatch?: RequestMatch;
    count?: number;
  }[];
}

/** The files that people send, in place of files in Slack. */
export class SourceFiles {
  readonly files = new Map<string, { name: string; data: Buffer; stamp: string; failsAfter?: number }>();

  put(id: string, name: string, data: string | Buffer, more: { stamp?: string; failsAfter?: number } = {}): string {
    this.files.set(id, { name, data: Buffer.from(data), stamp: '1', ...more });
    return id;
  }

  async inspect(_: string, id: string) {
    const file = this.files.get(id);
    return file && { name: file.name, size: file.data.length, stamp: file.stamp, isSnippet: false, isShared: true };
  }

  async open(_: string, id: string): Promise<Readable> {
    const file = this.files.get(id);
    if (file === undefined) throw new Error('no such file');
    const { data, failsAfter } = file;
    if (failsAfter === undefined) return Readable.from([data], { objectMode: false });
    return Readable.from(
      (async function* () {
        yield data.subarray(0, failsAfter);
        throw new Error('the source broke');
      })(),
      { objectMode: false },
    );
  }
}

export interface FeaturesSetup extends Omit<JobsSetup, 'startWorker'> {
  server: ExchangeServer;
  /** The account on the service. */
  account: Account;
  services: TransferServices;
  notifications: Notifications;
  sourceFiles: SourceFiles;
  roles: Map<string, Role>;
  channelMembers: Map<string, string[]>;
  /** Connects another workspace to its own account with three contacts. */
  addWorkspace(workspace: string): Promise<Account>;
  /** Starts a worker with the jobs that don't depend on Slack, like another process. */
  startWorker(options?: { store?: Store; services?: TransferServices; concurrency?: number }): Promise<Runner>;
  /** Returns the services of another process on the same database. */
  otherServices(store: Store, wrap?: (exchange: Exchange) => Exchange): TransferServices;
  /** Prepares and confirms a transfer. Resolves like `untilEnded`. */
  send(actor: Actor, draft: Partial<SendDraft>): Promise<Transfer>;
  /** Resolves when the transfer has ended and its end was reported to the notifier. */
  untilEnded(id: string): Promise<Transfer>;
}

export interface FeaturesOptions {
  server?: ExchangeServerOptions;
  wrap?: (exchange: Exchange) => Exchange;
  connected?: boolean;
  /** Uses a separate database, for tests that leave theirs unusable for the next test of the file. */
  isSeparate?: boolean;
}

export async function setUpFeatures(postgres: TestPostgres, options: FeaturesOptions = {}): Promise<FeaturesSetup> {
  const jobs = await (options.isSeparate === true ? setUpJobs : shareJobs)(postgres);
  const server = await startExchangeServer(options.server);
  const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });
  onTestFinished(async () => {
    await dispatcher.destroy();
    await server.close();
  });
  const addAccount = (name: string) => {
    const added = server.addAccount({ user: name, apiKey });
    added.contacts.local = [
      { email: 'carl@example.org', number: '46700000001', nick: 'Carl', groups: ['board'] },
      { email: 'dora@example.net', number: '46700000002', nick: 'Dora', groups: ['board'] },
      { email: 'emil@example.com', number: '46700000003', nick: 'Emil', groups: [] },
    ];
    return added;
  };
  const account = addAccount(user);
  const notifications: Notifications = {
    progress: [],
    ended: [],
    approvals: [],
    paused: [],
    work: [],
    alarms: [],
    edits: [],
    posts: [],
    disconnected: [],
    admins: [],
  };
  const sourceFiles = new SourceFiles();
  const roles = new Map<string, Role>([[admin.person, 'admin']]);
  const channelMembers = new Map<string, string[]>();
  const otherServices = (
    store: Store,
    wrap = options.wrap ?? ((exchange: Exchange) => exchange),
  ): TransferServices => ({
    kinds: transferKinds,
    store,
    queue: jobs.queue,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    connectTo: (login) => wrapped(createExchange({ ...login, tokens: store.tokens, dispatcher }), wrap),
    people: {
      roleOf: async ({ person }) => roles.get(person) ?? 'member',
      zoneOf: async () => 'Europe/Stockholm',
      membersOf: async (_, channel) => {
        const members = channelMembers.get(channel);
        return members && new Set(members);
      },
      isGuest: async () => false,
      everyoneIn: async (_, channel) => channelMembers.get(channel) ?? [],
      channelState: async () => ({ isPrivate: true }),
    },
    sources: sourceFiles,
    notifier: {
      progress: (_, progress) => void notifications.progress.push(progress),
      transferEnded: async ({ id }) => void notifications.ended.push(id),
      transferPaused: async ({ id }) => void notifications.paused.push(id),
      approvalChanged: async ({ id }) => void notifications.approvals.push(id),
      workChanged: async ({ person }, { what }) => void notifications.work.push({ person, what }),
      alarm: async (_, alarm) => void notifications.alarms.push(alarm),
      contactsEdited: async ({ id, person }, outcome) => void notifications.edits.push({ id, person, outcome }),
      disconnected: async ({ person }, isClean) => void notifications.disconnected.push({ person, isClean }),
      adminNotice: async ({ person }, notice) => void notifications.admins.push({ person, ...notice }),
      channelChosen: async () => {},
      guestsFound: async () => {},
    },
    announcer: {
      postItems: async (_, post) => {
        const { items, requestMatch, channel = 'D-admin' } = post;
        notifications.posts.push({ kind: 'item', urls: items.map(({ url }) => url), requestMatch });
        return { location: { channel, ts: items[0]?.url ?? '' }, belongsTo: ownersOf(post) };
      },
      postSummary: async (_, post) => {
        notifications.posts.push({ kind: 'many', urls: post.items.map(({ url }) => url) });
        return { belongsTo: ownersOf(post) };
      },
      postBaseline: async (_, count) => void notifications.posts.push({ kind: 'baseline', urls: [], count }),
      updatePost: async (_, items) =>
        void notifications.posts.push({ kind: 'changed', urls: items.map(({ url }) => url) }),
    },
    timing: quickTiming,
    contactCaches: createContactCaches(quickTiming),
    ...createSharedWork(),
  });
  const services = otherServices(jobs.store);
  if (options.connected ?? true) await connect(services, admin, { baseUrl: server.url, username: user, apiKey });

  async function untilEnded(id: string): Promise<Transfer> {
    return until(async () => {
      const transfer = await transfersIn(jobs.store).read(id);
      return transfer?.notifiedAt === undefined ? undefined : transfer;
    }, `transfer ${id} to end`);
  }

  return {
    ...jobs,
    server,
    account,
    services,
    notifications,
    sourceFiles,
    roles,
    channelMembers,
    otherServices,
    async addWorkspace(workspace) {
      const username = `${workspace.toLowerCase()}@example.com`;
      const added = addAccount(username);
      await connect(services, { workspace, person: admin.person }, { baseUrl: server.url, username, apiKey });
      return added;
    },
    startWorker: ({ store = jobs.store, services: workerServices = services, concurrency = 4 } = {}) =>
      jobs.startWorker({
        store,
        handlers: operationJobs(workerServices),
        concurrency,
        deadAfterSeconds: 0,
        reapEveryMs: 200,
      }),
    untilEnded,
    async send(actor, draft) {
      const full = { recipients: [], groups: [], files: [], message: 'Hello', expiresAfter: 7, ...draft };
      const { reviewId } = await prepareSend(services, actor, full);
      await confirmSend(services, actor, reviewId);
      return untilEnded(reviewId);
    },
  };
}

/** Polls until `check` returns a value, with growing pauses. */
export async function until<T>(
  check: () => Promise<T | undefined> | T | undefined,
  what: string,
  ms = 90_000,
): Promise<T> {
  const deadline = Date.now() + ms;
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.5, 50)) {
    const found = await check();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

export const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

/** Wraps a client, and also every client that its `with` returns. */
function wrapped(exchange: Exchange, wrap: (exchange: Exchange) => Exchange): Exchange {
  return { ...wrap(exchange), with: (hooks) => wrapped(exchange.with(hooks), wrap) };
}
