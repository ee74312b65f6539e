import { type Logger, LogLevel, WebClient } from '@slack/web-api';
import { expect, onTestFinished } from 'vitest';
import {
  type Manifest,
  type Person,
  type SlackServer,
  type SlackServerOptions,
  startSlackServer,
  type Workspace,
} from '../../../src/sandbox/slack/index.ts';

const botUrl = 'https://bot.example/slack/events';

export const manifest: Manifest = {
  display_information: { name: 'Dropline' },
  features: {
    app_home: { home_tab_enabled: true, messages_tab_enabled: true },
    bot_user: { display_name: 'dropline' },
    shortcuts: [
      { name: 'Send securely', type: 'message', callback_id: 'send_message' },
      { name: 'New transfer', type: 'global', callback_id: 'new_transfer' },
    ],
    slash_commands: [{ command: '/drop', url: botUrl, should_escape: true }],
  },
  oauth_config: {
    redirect_urls: ['https://bot.example/slack/oauth_redirect'],
    scopes: {
      bot: [
        'commands',
        'chat:write',
        'files:read',
        'files:write',
        'users:read',
        'channels:read',
        'groups:read',
        'im:history',
      ],
      bot_optional: ['files:write'],
    },
  },
  settings: {
    event_subscriptions: {
      request_url: botUrl,
      bot_events: ['app_home_opened', 'app_uninstalled', 'file_deleted', 'file_shared', 'message.im', 'tokens_revoked'],
    },
    interactivity: { is_enabled: true, request_url: botUrl, message_menu_options_url: botUrl },
  },
};

export const app = {
  id: 'A0DROPLINE00',
  clientId: '1111.2222',
  clientSecret: 'client-secret',
  signingSecret: 'signing-secret',
  appToken: 'xapp-1-A0DROPLINE00-token',
  manifest,
};

export interface TestWorkspace {
  slack: SlackServer;
  clock: { skipped: number };
  acme: Workspace;
  /** The workspace owner. */
  anna: Person;
  bo: Person;
  token: string;
}

/** A server with a clock that can be advanced. Rate limits are off, because most tests exceed them. */
export async function startSlack(options: Partial<SlackServerOptions> = {}) {
  const clock = { skipped: 0 };
  const slack = await startSlackServer({ app, clock: () => Date.now() + clock.skipped, rateLimits: false, ...options });
  onTestFinished(() => slack.close());
  return { slack, clock };
}

/** A workspace with two people, the app installed, and a channel with all three in it. */
export async function setUpWorkspace(options: Partial<SlackServerOptions> = {}): Promise<TestWorkspace> {
  const { slack, clock } = await startSlack(options);
  const acme = slack.addWorkspace({ name: 'Acme' });
  const anna = acme.addPerson({ name: 'Anna', role: 'owner' });
  const bo = acme.addPerson({ name: 'Bo' });
  const { botToken: token } = acme.install({ by: anna });
  acme.addChannel({ name: 'general', members: [anna, bo, 'app'] });
  return { slack, clock, acme, anna, bo, token };
}

/** Logs nothing: the tests check errors themselves. */
export const silent: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

export function clientFor(slack: SlackServer, token: string | undefined): WebClient {
  return new WebClient(token, { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 }, logger: silent });
}

/** Polls for a result of background work. */
export function expectEventually<T>(read: () => T) {
  return expect.poll(read, { interval: 10 });
}

export function plain(text: string) {
  return { type: 'plain_text' as const, text };
}

export function section(text: string) {
  return { type: 'section' as const, text: { type: 'mrkdwn' as const, text } };
}
