import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { createSlackApp } from '../../src/app.ts';
import type { SlackConfig } from '../../src/config.ts';
import { connect } from '../../src/features/connect/operations.ts';
import { startPoller } from '../../src/features/inbox/poller.ts';
import { createPoster } from '../../src/features/inbox/tell.ts';
import { featureJobs } from '../../src/features/jobs.ts';
import type { Timing } from '../../src/features/services.ts';
import { listen, type Patience } from '../../src/health.ts';
import { startRunners } from '../../src/jobs/index.ts';
import { createLog, type Log } from '../../src/log.ts';
import {
  type Account,
  type ExchangeServer,
  type ExchangeServerOptions,
  startExchangeServer,
} from '../../src/sandbox/exchange/index.ts';
import {
  type Installed,
  type Manifest,
  type Person,
  type SlackServer,
  slackVariables,
  startSlackServer,
  type Workspace,
} from '../../src/sandbox/slack/index.ts';
import { openServices, type Services } from '../../src/services.ts';
import { webRoutes } from '../../src/web.ts';
import { apiKey, user } from './exchange.ts';
import { quickTiming, until } from './features.ts';
import type { TestDatabase, TestPostgres } from './postgres.ts';

const manifest = JSON.parse(readFileSync(new URL('../../manifest/app.json', import.meta.url), 'utf8')) as Manifest;

const secrets = { clientId: '111.222', clientSecret: 'client-secret', signingSecret: 'signing-secret' };

export interface AppSetup {
  database: TestDatabase;
  exchange: ExchangeServer;
  /** The account as the service has it. */
  account: Account;
  slack: SlackServer;
  acme: Workspace;
  /** The owner of the workspace, and two who are not. */
  anna: Person;
  bo: Person;
  gus: Person;
  services: Services;
  /** Where the bot listens. */
  url: string;
  /** What a bot in another process needs to know. */
  env: NodeJS.ProcessEnv;
  /** What the bot has logged. */
  logged: () => string;
  /** Resolves when the bot has done all that it was told of, and whatever jobs came of it. Not in Socket Mode. */
  atRest(): Promise<void>;
  /** Another process of the bot on the same database, as far as anybody can tell. */
  another(): Promise<{ services: Services; url: string }>;
  /** Installs the app in a further workspace. */
  install(workspace: Workspace, by: Person): Promise<void>;
}

export interface AppSetupOptions {
  exchange?: ExchangeServerOptions;
  /** Whether the workspace is connected to the account when the story begins; by Anna. */
  connected?: boolean;
  pollMs?: number;
  timing?: Partial<Timing>;
  hasPublicUrl?: boolean;
  /** How far apart posts in a channel are. */
  postMs?: number;
  /** Slack keeps an eye on how often it is called. */
  rateLimits?: boolean;
  slackClock?: () => number;
  logLevel?: string;
  /** Whether this process polls and does jobs, too; else others are to. */
  isWorking?: boolean;
  /** Served over a socket, for the one workspace, with its token. */
  socketMode?: boolean;
  /** The bot is another process, which the test starts with `env`. */
  runsElsewhere?: boolean;
  /** Scopes that whoever installed the app has declined. */
  declined?: readonly string[];
  config?: Partial<SlackConfig>;
  /** With slow clients. */
  patience?: Patience;
}

/** The whole bot between a simulated Slack and the reference service; all of it is gone when the test is over. */
export async function setUpApp(postgres: TestPostgres, options: AppSetupOptions = {}): Promise<AppSetup> {
  const database = await postgres.createDatabase();
  onTestFinished(() => database.drop());
  const exchange = await startExchangeServer(options.exchange);
  onTestFinished(() => exchange.close());
  const { socketMode = false } = options;
  const appToken = 'xapp-1-A0DROPLINE00-token';
  const settings = { ...manifest.settings, socket_mode_enabled: socketMode };
  const slack = await startSlackServer({
    app: { id: 'A0DROPLINE00', ...secrets, appToken, manifest: { ...manifest, settings } },
    rateLimits: options.rateLimits ?? false,
    // Slack's own three seconds would be about this machine, which may be busy with other tests. The bot is held to its own
    // limit all the same: it refuses over HTTP what it has not answered in two and a half, and that is no `acked`.
    behaviour: { ackMs: 10_000, triggerMs: 10_000 },
    ...(options.slackClock && { clock: options.slackClock }),
  });
  onTestFinished(() => slack.close());
  const acme = slack.addWorkspace({ name: 'Acme' });
  const anna = acme.addPerson({ name: 'Anna', role: 'owner' });
  const bo = acme.addPerson({ name: 'Bo' });
  const gus = acme.addPerson({ name: 'Gus', role: 'guest' });
  acme.addChannel({ name: 'general', members: [anna, bo, gus] });
  const { bot = [], bot_optional: optional = [] } = manifest.oauth_config?.scopes ?? {};
  const scopes = [...bot, ...optional].filter((scope) => !options.declined?.includes(scope));
  const installed = acme.install({ by: anna, scopes });
  const account = exchange.addAccount({ user, apiKey });
  account.contacts.local = [
    { email: 'carl@example.org', number: '46700000001', nick: 'Carl', groups: ['board'] },
    { email: 'dora@example.net', number: '46700000002', nick: 'Dora', groups: ['board'] },
    { email: 'emil@example.com', number: '46700000003', nick: 'Emil', groups: [] },
  ];
  const secretKey = randomBytes(32);
  const lines: string[] = [];
  const log: Log = createLog(options.logLevel ?? 'info', { write: (line) => void lines.push(line) });

  /** Services, worker, poller and, if told, the part that listens: what one process runs. */
  async function startProcess(): Promise<{ services: Services; url: string; drain(): Promise<void> }> {
    const slackConfig: SlackConfig = {
      signingSecret: secrets.signingSecret,
      oauth: socketMode ? undefined : { clientId: secrets.clientId, clientSecret: secrets.clientSecret },
      botToken: socketMode ? installed.botToken : undefined,
      appToken: socketMode ? appToken : undefined,
      apiUrl: slack.apiUrl,
      authorizeUrl: slack.authorizeUrl,
      fileHosts: [slack.fileHost],
      ...options.config,
    };
    const pollMs = options.pollMs ?? 300;
    const opened = await openServices(
      {
        database: { url: database.connectionString, secretKeys: [secretKey] },
        slack: slackConfig,
        exchange: { hosts: ['127.0.0.1'], pollMs },
        publicUrl: undefined,
      },
      log,
    );
    const poster = createPoster(opened.slack, opened.store, log, { everyMs: options.postMs ?? 20 });
    let routes: RequestListener = (_, response) => void response.writeHead(503).end();
    const server = await listen((request, response) => routes(request, response), 0, '127.0.0.1', options.patience);
    const url = `http://127.0.0.1:${server.port}`;
    const services: Services = {
      ...opened,
      poster,
      timing: { ...quickTiming, ...options.timing },
      publicUrl: options.hasPublicUrl === true ? url : undefined,
    };
    onTestFinished(() => services.close());
    if (options.runsElsewhere === true) {
      await server.close();
      return { services, url, drain: async () => {} };
    }
    const app = createSlackApp(services, slackConfig);
    routes = webRoutes(services, undefined, app);
    await app.start();
    const work = (options.isWorking ?? true) ? await startWork(services, pollMs, log) : undefined;
    onTestFinished(async () => {
      await server.close();
      await app.stopListening();
      await app.drain(15_000);
      await work?.stop();
    });
    return { services, url, drain: () => app.drain(15_000) };
  }

  const { services, url, drain } = await startProcess();
  slack.deliverTo(url);

  const remember = ({ teamId, botToken, botId, botUserId, scopes }: Installed, by: Person) =>
    services.store.installations.set(teamId, {
      team: { id: teamId },
      isEnterpriseInstall: false,
      user: { id: by.id },
      bot: { token: botToken, id: botId, userId: botUserId, scopes },
    });
  if (!socketMode) await remember(installed, anna);
  if (options.connected ?? true) {
    await connect(services, { workspace: acme.id, person: anna.id }, { baseUrl: exchange.url, username: user, apiKey });
  }
  return {
    database,
    exchange,
    account,
    slack,
    acme,
    anna,
    bo,
    gus,
    services,
    url,
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: database.connectionString,
      SECRET_KEY: secretKey.toString('base64'),
      ...slackVariables(slack, secrets),
      EXCHANGE_HOSTS: '127.0.0.1',
    },
    install: (workspace, by) => remember(workspace.install({ by }), by),
    logged: () => lines.join(''),
    async atRest() {
      await slack.settled();
      await drain();
      await until(async () => (await services.queue.size()) === 0 || undefined, 'all jobs to be done');
    },
    another: startProcess,
  };
}

async function startWork(services: Services, pollMs: number, log: Log) {
  const handlers = featureJobs(services);
  const runner = await startRunners({
    store: services.store,
    handlers,
    log,
    places: { long: 2, short: 2 },
    reapEveryMs: 500,
  });
  const poller = startPoller(services, { everyMs: pollMs, tickMs: 50 });
  return {
    async stop() {
      await poller.stop();
      await runner.stop(500);
    },
  };
}
