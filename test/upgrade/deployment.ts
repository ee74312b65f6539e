import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createSlackApp } from '../../src/app.ts';
import type { SlackConfig } from '../../src/config.ts';
import { createExchange, createServiceAgent } from '../../src/exchange/index.ts';
import { createAnnouncer } from '../../src/features/inbox/announce/notify.ts';
import { startPoller } from '../../src/features/inbox/poll/poller.ts';
import { featureJobs } from '../../src/features/jobs.ts';
import { listen } from '../../src/health.ts';
import { housekeeping } from '../../src/housekeeping.ts';
import { startRunners } from '../../src/jobs/index.ts';
import { createLog } from '../../src/log.ts';
import { type ExchangeServer, startExchangeServer } from '../../src/sandbox/exchange/index.ts';
import { type Manifest, type SlackServer, startSlackServer } from '../../src/sandbox/slack/index.ts';
import { openServices, type Services } from '../../src/services.ts';
import { webRoutes } from '../../src/web.ts';
import { quickTiming } from '../helpers/features.ts';

/** The service's URL in recordings. Calls to it go to the sandbox service of this run. */
export const serviceUrl = 'http://files.example.test';

const manifest = JSON.parse(readFileSync(new URL('../../manifest/app.json', import.meta.url), 'utf8')) as Manifest;
const secrets = { clientId: '111.222', clientSecret: 'client-secret', signingSecret: 'signing-secret' };

export const shortcuts = manifest.features?.shortcuts ?? [];

/** Collects functions that close what was opened. The last added runs first. */
export interface Closers {
  add(close: () => Promise<unknown>): void;
}

export interface TestServers {
  slack: SlackServer;
  exchange: ExchangeServer;
}

/** Starts the two servers that a bot uses, without data. */
export async function startServers(closers: Closers, clock: () => number = Date.now): Promise<TestServers> {
  const exchange = await startExchangeServer({ clock });
  closers.add(() => exchange.close());
  const slack = await startSlackServer({
    app: { id: 'A0DROPLINE00', ...secrets, manifest },
    // Long timeouts, as in helpers/bot.ts, so that a busy machine does not look like a slow bot.
    behaviour: { ackMs: 10_000, triggerMs: 10_000, rateLimits: false },
  });
  closers.add(() => slack.close());
  return { slack, exchange };
}

export interface BotOptions extends TestServers {
  databaseUrl: string;
  /** The first key encrypts, all of them decrypt. */
  secretKeys: Buffer[];
  timing?: Partial<Services['timing']>;
}

export interface Bot {
  url: string;
  services: Services;
  /** Starts the job runners and the poller. */
  startWorkers(): Promise<void>;
  /** Resolves when the bot has finished everything that it acknowledged. */
  untilInteractionsDone(): Promise<void>;
  /** Every line that the bot has logged. */
  logged(): { level: string; msg: string; err?: unknown; [field: string]: unknown }[];
}

/** Starts the whole bot in this process, with the current code. */
export async function startBot(closers: Closers, options: BotOptions): Promise<Bot> {
  const { slack, exchange, databaseUrl, secretKeys } = options;
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const slackConfig: SlackConfig = {
    signingSecret: secrets.signingSecret,
    oauth: { clientId: secrets.clientId, clientSecret: secrets.clientSecret },
    botToken: undefined,
    appToken: undefined,
    apiUrl: slack.apiUrl,
    authorizeUrl: slack.authorizeUrl,
    fileHosts: [slack.fileHost],
  };
  const opened = await openServices(
    {
      database: { url: databaseUrl, secretKeys },
      slack: slackConfig,
      exchange: { hosts: [new URL(serviceUrl).host], pollMs: 300 },
      publicUrl: undefined,
      support: undefined,
    },
    log,
  );
  closers.add(opened.close);
  const agent = createServiceAgent({ hosts: ['127.0.0.1'] });
  closers.add(() => agent.destroy());
  const dispatcher = agent.compose(
    (dispatch) => (call, handler) => dispatch({ ...call, origin: exchange.url }, handler),
  );
  let routes: RequestListener = (_, response) => void response.writeHead(503).end();
  const server = await listen((request, response) => routes(request, response), 0, '127.0.0.1');
  const url = `http://127.0.0.1:${server.port}`;
  const services: Services = {
    ...opened,
    connectTo: (login) => createExchange({ ...login, tokens: opened.store.tokens, dispatcher, log }),
    announcer: createAnnouncer(opened.slack, opened.store, log, { everyMs: 20 }),
    // Keeps the caller's object: interrupted-work.ts changes it while the bot runs.
    timing: Object.assign(options.timing ?? {}, { ...quickTiming, ...options.timing }),
    publicUrl: url,
  };
  const app = createSlackApp(services, slackConfig);
  routes = webRoutes(services, undefined, app);
  slack.deliverTo(url);
  const untilInteractionsDone = async () => {
    await slack.untilSettled();
    await app.drain(15_000);
  };
  closers.add(async () => {
    await server.close();
    await app.drain(5_000);
  });
  return {
    url,
    services,
    untilInteractionsDone,
    logged: () => lines.map((line) => JSON.parse(line)),
    async startWorkers() {
      const handlers = [...featureJobs(services), housekeeping(services).handler];
      const slots = { long: 16, short: 16, posting: 16 };
      const runner = await startRunners({
        store: services.store,
        handlers,
        log,
        slots,
        deadAfterSeconds: 1,
        reapEveryMs: 200,
      });
      const poller = startPoller(services, { everyMs: 300, tickMs: 50 });
      closers.add(async () => {
        await poller.stop();
        await runner.stop(500);
      });
    },
  };
}
