import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { createSlackApp } from '../../src/app.ts';
import type { SlackConfig } from '../../src/config.ts';
import { connect } from '../../src/features/connect/operations.ts';
import { startPoller } from '../../src/features/inbox/poller.ts';
import { featureJobs } from '../../src/features/jobs.ts';
import type { Timing } from '../../src/features/services.ts';
import { listen } from '../../src/health.ts';
import { startRunner } from '../../src/jobs/index.ts';
import { createLog, type Log } from '../../src/log.ts';
import {
  type Account,
  type ExchangeServer,
  type ExchangeServerOptions,
  startExchangeServer,
} from '../../src/sandbox/exchange/index.ts';
import {
  type Manifest,
  type Person,
  type SlackServer,
  startSlackServer,
  type Workspace,
} from '../../src/sandbox/slack/index.ts';
import { openServices, type Services } from '../../src/services.ts';
import { webRoutes } from '../../src/web.ts';
import { apiKey, user } from './exchange.ts';
import { quickTiming } from './features.ts';
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
  /** What the bot has logged. */
  logged: () => string;
  /** Another process of the bot on the same database, as far as anybody can tell. */
  another(): Promise<Services>;
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
  config?: Partial<SlackConfig>;
}

/** The whole bot between a simulated Slack and the reference service; all of it is gone when the test is over. */
export async function setUpApp(postgres: TestPostgres, options: AppSetupOptions = {}): Promise<AppSetup> {
  const database = await postgres.createDatabase();
  onTestFinished(() => database.drop());
  const exchange = await startExchangeServer(options.exchange);
  onTestFinished(() => exchange.close());
  const slack = await startSlackServer({ app: { id: 'A0DROPLINE00', ...secrets, manifest } });
  onTestFinished(() => slack.close());
  const account = exchange.addAccount({ user, apiKey });
  account.contacts.local = [
    { email: 'carl@example.org', number: '46700000001', nick: 'Carl', groups: ['board'] },
    { email: 'dora@example.net', number: '46700000002', nick: 'Dora', groups: ['board'] },
    { email: 'emil@example.com', number: '46700000003', nick: 'Emil', groups: [] },
  ];
  const secretKeys = [randomBytes(32)];
  const lines: string[] = [];
  const log: Log = createLog('info', { write: (line) => void lines.push(line) });

  /** Services, worker, poller and, if told, the part that listens: what one process runs. */
  async function startProcess(): Promise<{ services: Services; url: string }> {
    const slackConfig: SlackConfig = {
      signingSecret: secrets.signingSecret,
      oauth: { clientId: secrets.clientId, clientSecret: secrets.clientSecret },
      botToken: undefined,
      appToken: undefined,
      apiUrl: slack.apiUrl,
      authorizeUrl: slack.authorizeUrl,
      fileHosts: [slack.fileHost],
      ...options.config,
    };
    const pollMs = options.pollMs ?? 300;
    const opened = await openServices(
      {
        database: { url: database.connectionString, secretKeys },
        slack: slackConfig,
        exchange: { hosts: ['127.0.0.1'], pollMs },
        publicUrl: undefined,
      },
      log,
    );
    let routes: RequestListener = (_, response) => void response.writeHead(503).end();
    const server = await listen((request, response) => routes(request, response), 0, '127.0.0.1');
    const url = `http://127.0.0.1:${server.port}`;
    const services: Services = {
      ...opened,
      timing: { ...quickTiming, ...options.timing },
      publicUrl: options.hasPublicUrl === true ? url : undefined,
    };
    const app = createSlackApp(services, slackConfig);
    routes = webRoutes(services, undefined, app.listener);
    const handlers = featureJobs(services);
    const runner = await startRunner({ store: services.store, handlers, log, concurrency: 4, reapEveryMs: 500 });
    const poller = startPoller(services, { everyMs: pollMs, tickMs: 50 });
    onTestFinished(async () => {
      await server.close();
      await app.stop();
      await poller.stop();
      await runner.stop(500);
      await services.close();
    });
    return { services, url };
  }

  const { services, url } = await startProcess();
  slack.deliverTo(url);

  const install = async (workspace: Workspace, by: Person) => {
    const { botToken, botId, botUserId, scopes } = workspace.install({ by });
    await services.store.installations.set(workspace.id, {
      team: { id: workspace.id, name: workspace.name },
      enterprise: undefined,
      isEnterpriseInstall: false,
      user: { id: by.id },
      bot: { token: botToken, id: botId, userId: botUserId, scopes },
    });
  };
  const acme = slack.addWorkspace({ name: 'Acme' });
  const anna = acme.addPerson({ name: 'Anna', role: 'owner' });
  const bo = acme.addPerson({ name: 'Bo' });
  const gus = acme.addPerson({ name: 'Gus', role: 'guest' });
  acme.addChannel({ name: 'general', members: [anna, bo, gus] });
  await install(acme, anna);
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
    install,
    logged: () => lines.join(''),
    another: async () => (await startProcess()).services,
  };
}
