import { onTestFinished } from 'vitest';
import { connect } from '../../src/features/connect/operations.ts';
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
import type { Services } from '../../src/services.ts';
import { type BotOptions, canBeShared, manifest, secrets, sharedBot, startBot } from './bot.ts';
import { apiKey, user } from './exchange.ts';
import type { TestDatabase, TestPostgres } from './postgres.ts';

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

export interface AppSetupOptions extends BotOptions {
  exchange?: ExchangeServerOptions;
  /** Whether the workspace is connected to the account when the story begins; by Anna. */
  connected?: boolean;
  /** Scopes that whoever installed the app has declined. */
  declined?: readonly string[];
  /** Not the bot that the tests of the file share: for those who look at all that it has stored, or break it. */
  isOwn?: boolean;
}

interface Acme {
  acme: Workspace;
  anna: Person;
  bo: Person;
  gus: Person;
  installed: Installed;
}

/**
 * The whole bot between a simulated Slack and the reference service. Workspace, people and account are the test's own.
 * The bot itself is shared by the tests of a file, one after the other, unless an option asks for another one.
 */
export async function setUpApp(postgres: TestPostgres, options: AppSetupOptions = {}): Promise<AppSetup> {
  const { exchange: exchangeOptions, connected = true, declined = [], isOwn = false, ...botOptions } = options;
  const isShared = !isOwn && canBeShared(botOptions);
  const { bot: asked = [] } = manifest.oauth_config?.scopes ?? {};
  const scopes = asked.filter((scope) => !declined.includes(scope));
  // In Socket Mode the bot has the token of its one workspace from the start.
  let first: Acme | undefined;
  const tokenIn = (slack: SlackServer) => {
    first = addAcme(slack, scopes);
    return first.installed.botToken;
  };
  const bot = isShared ? await sharedBot(postgres, botOptions) : await startBot(postgres, botOptions, tokenIn);
  onTestFinished(() => (isShared ? bot.reset() : bot.close()));
  const exchange = await startExchangeServer(exchangeOptions);
  onTestFinished(() => exchange.close());
  const { database, slack, services, url } = bot;
  const { acme, anna, bo, gus, installed } = first ?? addAcme(slack, scopes);
  const remember = ({ teamId, botToken, botId, botUserId, scopes: granted }: Installed, by: Person) =>
    services.store.installations.set(teamId, {
      team: { id: teamId },
      isEnterpriseInstall: false,
      user: { id: by.id },
      bot: { token: botToken, id: botId, userId: botUserId, scopes: granted },
    });
  if (options.socketMode !== true) await remember(installed, anna);
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
    install: (workspace, by) => remember(workspace.install({ by }), by),
    logged: () => bot.lines.join(''),
    atRest: bot.atRest,
    another: bot.another,
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
