import { onTestFinished } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import {
  type Account,
  type ExchangeServer,
  type ExchangeServerOptions,
  startExchangeServer,
} from '../../src/sandbox/exchange/index.ts';
import {
  type Installed,
  type Person,
  type SlackServer,
  slackVariables,
  type Workspace,
} from '../../src/sandbox/slack/index.ts';
import type { OpenedServices } from '../../src/services.ts';
import { type BotOptions, canBeShared, manifest, secrets, sharedBot, startBot } from './bot.ts';
import { apiKey, user } from './exchange.ts';
import type { TestDatabase, TestPostgres } from './postgres.ts';

export interface AppSetup {
  database: TestDatabase;
  exchange: ExchangeServer;
  /** The account on the service. */
  account: Account;
  slack: SlackServer;
  acme: Workspace;
  /** The workspace owner, a member and a guest. */
  anna: Person;
  bo: Person;
  gus: Person;
  services: OpenedServices;
  /** The bot's URL. */
  url: string;
  /** The environment for a bot in another process. */
  env: NodeJS.ProcessEnv;
  /** Everything that the bot has logged. */
  logged: () => string;
  /** Resolves when the bot has finished all deliveries and jobs. Doesn't work in Socket Mode. */
  untilIdle(): Promise<void>;
  /** Starts another bot on the same database, which acts like another process. */
  startAnotherBot(): Promise<{ services: OpenedServices; url: string }>;
  /** Installs the app in another workspace. */
  install(workspace: Workspace, by: Person): Promise<void>;
}

export interface AppSetupOptions extends BotOptions {
  exchange?: ExchangeServerOptions;
  /** Whether Anna has connected the workspace to the account before the test begins. */
  connected?: boolean;
  /** Scopes that the installer declined. */
  declined?: readonly string[];
  /** Uses a separate bot, for tests that inspect everything it stored or break it. */
  isSeparate?: boolean;
}

interface Acme {
  acme: Workspace;
  anna: Person;
  bo: Person;
  gus: Person;
  installed: Installed;
}

/**
 * Sets up the whole bot between a simulated Slack and the reference service. Each test gets its own workspace, people
 * and account. Tests share the bot, one after the other (see `sharedBot`), unless an option needs another bot.
 */
export async function setUpApp(postgres: TestPostgres, options: AppSetupOptions = {}): Promise<AppSetup> {
  const { exchange: exchangeOptions, connected = true, declined = [], isSeparate = false, ...botOptions } = options;
  const isShared = !isSeparate && canBeShared(botOptions);
  const { bot: requestedScopes = [] } = manifest.oauth_config?.scopes ?? {};
  const scopes = requestedScopes.filter((scope) => !declined.includes(scope));
  // In Socket Mode, the bot has the token of its one workspace from the start.
  let first: Acme | undefined;
  const createBotToken = (slack: SlackServer) => {
    first = addAcme(slack, scopes);
    return first.installed.botToken;
  };
  const bot = isShared ? await sharedBot(postgres, botOptions) : await startBot(postgres, botOptions, createBotToken);
  onTestFinished(() => (isShared ? bot.reset() : bot.close()));
  const exchange = await startExchangeServer(exchangeOptions);
  onTestFinished(() => exchange.close());
  const { database, slack, services, url } = bot;
  const { acme, anna, bo, gus, installed } = first ?? addAcme(slack, scopes);
  const storeInstallation = ({ teamId, botToken, botId, botUserId, scopes: granted }: Installed, by: Person) =>
    services.store.installations.set(teamId, {
      team: { id: teamId },
      isEnterpriseInstall: false,
      user: { id: by.id },
      bot: { token: botToken, id: botId, userId: botUserId, scopes: granted },
    });
  if (options.socketMode !== true) await storeInstallation(installed, anna);
  const account = exchange.addAccount({ user, apiKey });
  account.contacts.local = [
    { email: 'carl@example.org', number: '46700000001', nick: 'Carl', groups: ['board'] },
    { email: 'dora@example.net', number: '46700000002', nick: 'Dora', groups: ['board'] },
    { email: 'emil@example.com', number: '46700000003', nick: 'Emil', groups: [] },
  ];
  if (connected) {
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
      SECRET_KEY: bot.secretKey.toString('base64'),
      ...slackVariables(slack, secrets),
      EXCHANGE_HOSTS: '127.0.0.1',
    },
    install: (workspace, by) => storeInstallation(workspace.install({ by }), by),
    logged: () => bot.lines.join(''),
    untilIdle: bot.untilIdle,
    startAnotherBot: bot.startAnotherBot,
  };
}

function addAcme(slack: SlackServer, scopes: readonly string[]): Acme {
  const acme = slack.addWorkspace({ name: 'Acme' });
  const anna = acme.addPerson({ name: 'Anna', role: 'owner' });
  const bo = acme.addPerson({ name: 'Bo' });
  const gus = acme.addPerson({ name: 'Gus', role: 'guest' });
  acme.addChannel({ name: 'general', members: [anna, bo, gus] });
  return { acme, anna, bo, gus, installed: acme.install({ by: anna, scopes }) };
}
