import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { createSlackApp } from '../../src/app.ts';
import type { ScanConfig, SlackConfig } from '../../src/config.ts';
import type { Timing } from '../../src/features/common/services.ts';
import { createContactCaches } from '../../src/features/contacts/list/operations.ts';
import { startPoller } from '../../src/features/inbox/poll/poller.ts';
import { featureJobs } from '../../src/features/jobs.ts';
import { startRunners } from '../../src/jobs/index.ts';
import { createLog, type Log } from '../../src/lib/log.ts';
import { listen, type RequestTimeouts } from '../../src/process/health.ts';
import { webRoutes } from '../../src/process/web.ts';
import { type Manifest, type SlackServer, startSlackServer } from '../../src/sandbox/slack/index.ts';
import type { ScanLimits } from '../../src/scan/index.ts';
import { type OpenedServices, openServices } from '../../src/services.ts';
import { emptyDatabase } from './empty-database.ts';
import { quickTiming, until } from './features.ts';
import { checkLogLines } from './log-lines.ts';
import type { TestDatabase, TestPostgres } from './postgres.ts';

export const manifest = JSON.parse(
  readFileSync(new URL('../../manifest/app.json', import.meta.url), 'utf8'),
) as Manifest;

export const secrets = { clientId: '111.222', clientSecret: 'client-secret', signingSecret: 'signing-secret' };

export interface BotOptions {
  /** The interval between polls of an inbox. The default is a minute, so stories about new files set it. */
  pollMs?: number;
  timing?: Partial<Timing>;
  hasPublicUrl?: boolean;
  /** The minimum interval between posts in a channel. */
  postMs?: number;
  /** Whether Slack enforces its rate limits. */
  rateLimits?: boolean;
  slackClock?: () => number;
  logLevel?: string;
  /** Whether this process also polls and runs jobs; otherwise other processes do. */
  isWorking?: boolean;
  /** Uses Socket Mode for the one workspace, with its token. */
  socketMode?: boolean;
  /** Runs no bot in this process: the test starts one in another process, with `env`. */
  hasExternalBot?: boolean;
  config?: Partial<SlackConfig>;
  /** A malware scanner. */
  scan?: ScanConfig & { limits?: Partial<ScanLimits> };
  /** Time limits for slow clients. */
  clientTimeouts?: RequestTimeouts;
}

/** Options that can change from test to test. */
type TimingOptions = Pick<BotOptions, 'pollMs' | 'timing'>;

/** A bot with its own database and Slack. */
export interface Bot {
  database: TestDatabase;
  slack: SlackServer;
  secretKey: Buffer;
  services: OpenedServices;
  url: string;
  lines: string[];
  untilIdle(): Promise<void>;
  startAnotherBot(): Promise<{ services: OpenedServices; url: string }>;
  /** Stops polling and deletes everything from the last test. A bot that fails to do so is not reused. */
  reset(): Promise<void>;
  /** Sets the timing of the next test and starts polling again. */
  resume(options: TimingOptions): void;
  isUsable(): boolean;
  close(): Promise<void>;
}

/** Options that allow a bot to be shared. With any other option, state could remain after a reset. */
const shareableOptions = new Set(['pollMs', 'postMs', 'hasPublicUrl', 'isWorking', 'timing', 'scan']);

export const canBeShared = (options: BotOptions) => Object.keys(options).every((name) => shareableOptions.has(name));

const shared = new WeakMap<TestPostgres, { key: string; bot: Bot }>();

/**
 * Returns the bot that tests share, one after the other (see `sharedPostgres`). Each test sets its own polling and
 * timing; other options and `contactsTtlMs` need another bot.
 */
export async function sharedBot({ sharedPostgres }: TestPostgres, options: BotOptions): Promise<Bot> {
  const { postMs, hasPublicUrl, isWorking, scan, timing } = options;
  const key = JSON.stringify([postMs, hasPublicUrl, isWorking, scan, timing?.contactsTtlMs]);
  const current = shared.get(sharedPostgres);
  if (current?.key === key && current.bot.isUsable()) {
    current.bot.resume(options);
    return current.bot;
  }
  await current?.bot.close();
  const bot = await startBot(sharedPostgres, options, () => undefined);
  if (current === undefined) sharedPostgres.afterFile(async () => shared.get(sharedPostgres)?.bot.close());
  shared.set(sharedPostgres, { key, bot });
  return bot;
}

export async function startBot(
  postgres: TestPostgres,
  options: BotOptions,
  createBotToken: (slack: SlackServer) => string | undefined,
): Promise<Bot> {
  const closers: (() => Promise<void>)[] = [];
  const created = await postgres.createDatabase();
  closers.push(() => created.drop());
  let isUsable = true;
  const database: TestDatabase = {
    ...created,
    disconnect() {
      isUsable = false;
      return created.disconnect();
    },
  };
  const { socketMode = false } = options;
  const appToken = 'xapp-1-A0DROPLINE00-token';
  const settings = { ...manifest.settings, socket_mode_enabled: socketMode };
  const slack = await startSlackServer({
    app: { id: 'A0DROPLINE00', ...secrets, appToken, manifest: { ...manifest, settings } },
    rateLimits: options.rateLimits ?? false,
    // Slack's limit of three seconds would measure this machine, which can be busy with other tests. The bot's own
    // limit still applies: over HTTP it refuses what it has not answered within 2.5 seconds, which does not count as
    // `acked`.
    behaviour: { ackMs: 10_000, triggerMs: 10_000 },
    ...(options.slackClock && { clock: options.slackClock }),
  });
  closers.push(() => slack.close());
  const secretKey = randomBytes(32);
  const lines: string[] = [];
  const log: Log = createLog(options.logLevel ?? 'info', { write: (line) => void lines.push(line) });
  const token = createBotToken(slack);
  const botToken = socketMode ? token : undefined;

  /** Starts what one process of the bot runs: services, HTTP listener, worker and poller, depending on the options. */
  async function startProcess(
    { pollMs = 60_000, timing: ownTiming }: TimingOptions,
    onClose: (close: () => Promise<void>) => void,
  ) {
    const slackConfig: SlackConfig = {
      signingSecret: secrets.signingSecret,
      oauth: socketMode ? undefined : { clientId: secrets.clientId, clientSecret: secrets.clientSecret },
      botToken,
      appToken: socketMode ? appToken : undefined,
      apiUrl: slack.apiUrl,
      authorizeUrl: slack.authorizeUrl,
      ...options.config,
    };
    let routes: RequestListener = (_, response) => void response.writeHead(503).end();
    const server = await listen(
      (request, response) => routes(request, response),
      0,
      '127.0.0.1',
      options.clientTimeouts,
    );
    const url = `http://127.0.0.1:${server.port}`;
    const opened = await openServices(
      {
        database: { url: database.connectionString, secretKeys: [secretKey] },
        slack: { ...slackConfig, postEveryMs: options.postMs ?? 20, membersMaxAgeMs: 0 },
        exchange: { hosts: ['127.0.0.1'], pollMs },
        publicUrl: options.hasPublicUrl === true ? url : undefined,
        support: undefined,
        scan: options.scan,
      },
      log,
    );
    const timing = { ...quickTiming, ...ownTiming };
    const services: OpenedServices = {
      ...opened,
      timing,
      contactCaches: createContactCaches(timing),
    };
    onClose(() => services.close());
    if (options.hasExternalBot === true) {
      await server.close();
      return { services, url, drain: async () => {}, pause: async () => {}, resume: () => {} };
    }
    const app = createSlackApp(services, slackConfig);
    routes = webRoutes(services, undefined, app);
    await app.start();
    const worker = (options.isWorking ?? true) ? await startWorker(services, pollMs, log) : undefined;
    onClose(async () => {
      await server.close();
      await app.stopListening();
      await app.drain(15_000);
      await worker?.stop();
    });
    return {
      services,
      url,
      drain: () => app.drain(15_000),
      pause: async () => worker?.pause(),
      resume(next: TimingOptions) {
        // Parts of the bot have copies of `services` that share this object, so change it in place.
        Object.assign(timing, quickTiming, next.timing);
        worker?.resume(next.pollMs ?? 60_000);
      },
    };
  }

  const { services, url, drain, pause, resume } = await startProcess(options, (close) => closers.push(close));
  slack.deliverTo(url);
  let current: TimingOptions = options;

  const jobsAreDone = async () => (await services.queue.size()) === 0 || undefined;
  return {
    database,
    slack,
    secretKey,
    services,
    url,
    lines,
    async untilIdle() {
      await slack.untilIdle();
      await drain();
      await until(jobsAreDone, 'all jobs to be done');
    },
    startAnotherBot: () => startProcess(current, onTestFinished),
    isUsable: () => isUsable,
    resume(next) {
      current = next;
      resume(next);
    },
    async reset() {
      await pause();
      slack.reset();
      slack.deliverTo(url);
      await slack.untilIdle();
      await drain();
      // Discard what the bot did since the first reset, because it belongs to the previous test.
      slack.reset();
      isUsable &&= await deleteAll(services.store.pool);
      checkLogLines(lines.splice(0));
    },
    async close() {
      for (const close of closers.splice(0).reverse()) await close();
      checkLogLines(lines.splice(0));
    },
  };
}

/** Empties the database while no job runs. Returns false if a job doesn't end or the database is unreachable. */
async function deleteAll(pool: OpenedServices['store']['pool']): Promise<boolean> {
  const running = 'select from graphile_worker._private_jobs where locked_at is not null';
  const isIdle = async () => (await pool.query(running)).rowCount === 0 || undefined;
  try {
    await pool.query('delete from dropline.polls');
    await pool.query("update graphile_worker._private_jobs set run_at = run_at + interval '1 day'");
    await until(isIdle, 'running jobs to end', 3_000);
    await emptyDatabase(pool);
    return true;
  } catch {
    return false;
  }
}

async function startWorker(services: OpenedServices, pollMs: number, log: Log) {
  const handlers = featureJobs(services);
  const runner = await startRunners({
    store: services.store,
    handlers,
    log,
    // Every idle slot polls four times a second, so these are few.
    slots: { long: 3, short: 3, posting: 1 },
  });
  const poll = (everyMs: number) => startPoller(services, { everyMs, tickMs: Math.min(200, everyMs / 5) });
  let poller = poll(pollMs);
  return {
    pause: () => poller.stop(),
    resume(everyMs: number) {
      poller = poll(everyMs);
    },
    async stop() {
      await poller.stop();
      await runner.stop(500);
    },
  };
}
