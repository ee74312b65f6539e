import { connect } from '../../src/features/account/connect/operations.ts';
import type { Actor, InboxAnnouncer, InboxItem, RequestMatch, Services } from '../../src/features/common/services.ts';
import { ownersOf } from '../../src/features/inbox/announce/operations.ts';
import { itemsIn } from '../../src/features/inbox/items/repository.ts';
import { itemsSeenBy, type Viewer } from '../../src/features/inbox/items/seen.ts';
import { pollOnce } from '../../src/features/inbox/poll/operations.ts';
import { claimPolls } from '../../src/features/inbox/poll/repository.ts';
import type { TransferServices } from '../../src/features/transfers/kind.ts';
import { bounds } from '../../src/lib/bounds.ts';
import type { ExchangeServerOptions, InboxItem as ServiceItem } from '../../src/sandbox/exchange/index.ts';
import { apiKey, user } from './exchange.ts';
import { admin, type FeaturesSetup, setUpFeatures } from './features.ts';
import type { TestPostgres } from './postgres.ts';

export interface Post {
  kind: 'item' | 'many' | 'baseline' | 'changed';
  workspace: string;
  items: InboxItem[];
  requestMatch?: RequestMatch;
  /** The channel; absent if none is set. */
  channel?: string;
  isDigest?: true;
  count?: number;
  leftOut?: number;
}

export const everyMs = 60_000;

export interface InboxSetup extends Omit<FeaturesSetup, 'join'> {
  /** All posts in order. */
  posts: Post[];
  /** Called before each post; can throw to refuse it. */
  beforePost: (post: Post) => Promise<void> | void;
  /** Returns the posts since the last call. */
  takeNewPosts(): Post[];
  /** Adds an item to the inbox of T1's account, or of another account. By default, each has its own sender. */
  arrive(sender?: string, names?: string[], account?: string): Promise<ServiceItem>;
  /** Polls all workspaces now, like a process that has claimed all polls. */
  poll(services?: TransferServices, signal?: AbortSignal): Promise<void>;
  /** Polls and waits until everything is announced. Returns the new posts. */
  pollAndAnnounce(): Promise<Post[]>;
  /** Connects a workspace to a new account, or to T1's if `account` names that. */
  connectWorkspace(workspace: string, account?: string): Promise<Actor>;
}

/**
 * Sets up a workspace whose inbox was empty when it was connected. Unless `isWorking` is false, a worker announces new
 * items.
 */
export async function setUpInbox(
  postgres: TestPostgres,
  options: { server?: ExchangeServerOptions; isWorking?: boolean } = {},
): Promise<InboxSetup> {
  const setup = await setUpFeatures(postgres, options);
  const { server, store, notifications } = setup;
  const posts: Post[] = [];
  let seen = 0;
  let senders = 0;
  const nextSender = () => {
    senders += 1;
    return `sender-${senders}@example.org`;
  };
  const record = async (post: Post) => {
    await inbox.beforePost(post);
    posts.push(structuredClone(post));
  };
  const announcer: InboxAnnouncer = {
    postItems: async ({ workspace }, post, check) => {
      const { items, requestMatch, channel, isDigest } = post;
      await check();
      const where = { ...(channel !== undefined && { channel }), ...(isDigest && { isDigest }) };
      await record({ kind: 'item', workspace, items, requestMatch, ...where });
      return { location: { channel: channel ?? 'D-admin', ts: items[0]?.url ?? '' }, belongsTo: ownersOf(post) };
    },
    postSummary: async ({ workspace }, post, leftOut, check) => {
      const { items, requestMatch } = post;
      await check();
      await record({ kind: 'many', workspace, items, requestMatch, ...(leftOut > 0 && { leftOut }) });
      return { belongsTo: ownersOf(post) };
    },
    postBaseline: ({ workspace }, count, leftOut) =>
      record({ kind: 'baseline', workspace, items: [], count, ...(leftOut > 0 && { leftOut }) }),
    updatePost: ({ workspace }, items) => record({ kind: 'changed', workspace, items: [...items] }),
  };
  const withAnnouncer = (services: TransferServices): TransferServices => ({ ...services, announcer });
  const services = withAnnouncer(setup.services);

  async function poll(pollServices = services, signal = new AbortController().signal): Promise<void> {
    await store.pool.query('update dropline.polls set next_at = now() where paused_at is null');
    const claims = await claimPolls(store.pool, 1_000);
    await Promise.all(claims.map((claim) => pollOnce(pollServices, claim, everyMs, signal)));
  }

  const inbox: InboxSetup = {
    ...setup,
    services,
    otherServices: (...args) => withAnnouncer(setup.otherServices(...args)),
    startWorker: (more = {}) => setup.startWorker({ services, ...more }),
    posts,
    beforePost: () => {},
    takeNewPosts() {
      const from = seen;
      seen = posts.length;
      return posts.slice(from);
    },
    arrive: (sender = nextSender(), names = ['reply.pdf'], account = user) =>
      server.addInboxItem(account, { sender, files: names.map((name) => ({ name, data: `bytes of ${name}` })) }),
    poll,
    async pollAndAnnounce() {
      await poll();
      await setup.untilDrained();
      return inbox.takeNewPosts();
    },
    async connectWorkspace(workspace, account = `${workspace.toLowerCase()}@example.com`) {
      const actor = { workspace, person: admin.person };
      if (account !== user) server.addAccount({ user: account, apiKey });
      await connect(services, actor, { baseUrl: server.url, username: account, apiKey });
      return actor;
    },
  };
  await poll();
  if (options.isWorking ?? true) {
    await inbox.startWorker();
    await setup.untilDrained();
    inbox.takeNewPosts();
  }
  notifications.alarms.splice(0);
  return inbox;
}

/** The current items of the workspace's inbox, newest first, as of the last poll. */
export async function listInbox(
  { store }: Pick<Services, 'store'>,
  { workspace }: Actor,
  { limit = 10, offset = 0 } = {},
) {
  const account = (await store.credentials.accountOf({ workspace })) ?? '';
  return itemsSeenBy(store, await viewerOfAll(store, workspace, account)).list(limit, offset);
}

/** A viewer who sees all items: checks of tests, not of people. */
export async function viewerOfAll(store: Services['store'], workspace: string, account: string): Promise<Viewer> {
  const owners = await itemsIn(store, workspace, account).listOwners();
  return { workspace, account, person: 'U0TEST00000', owners };
}

export const urlsOf = (posts: readonly Post[]) => posts.flatMap(({ items }) => items.map(({ url }) => url));

/**
 * Sets the answer to the next read of the history. A long answer that has changed is read twice, so it needs `times` 2.
 */
export function answerHistory({ server }: InboxSetup, inbox: unknown[], polls = 1): void {
  const body = JSON.stringify({ history: [], live_drops: '0', inbox });
  const headers = { 'content-type': 'application/json' };
  const times = Buffer.byteLength(body) > bounds.service.bufferedBytes ? 2 * polls : polls;
  server.addFault({ operation: 'get_history', kind: 'answer', times, answer: { headers, body } });
}

export const item = (url: unknown, more: object = {}) => ({
  url,
  sender: 'carl@example.org',
  createtime: '1700000000',
  ttl: '7',
  files: [{ name: 'a.pdf', settings: '[]' }],
  ...more,
});
