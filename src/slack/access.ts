import type { WebClient } from '@slack/web-api';
import type { Dispatcher } from 'undici';
import { createCache } from '../lib/cache.ts';
import { DroplineError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Meter } from '../lib/metrics.ts';
import type { Store } from '../store/index.ts';
import { type Clients, createClients } from './clients.ts';
import { createFileSources } from './files.ts';
import { type Bot, createInstallations } from './installations.ts';
import { createPeople } from './people.ts';
import { isRefused, isSlackFailure, platformErrorOf } from './platform-errors.ts';
import { createPosting } from './posting.ts';
import { createSignIn } from './sign-in.ts';

export interface SlackAccessOptions {
  /** The bot's token if Dropline serves only one workspace. */
  botToken: string | undefined;
  apiUrl: string | undefined;
  oauth: { clientId: string; clientSecret: string } | undefined;
  authorizeUrl: string | undefined;
  /** The pause between two posts in a conversation. */
  postEveryMs?: number;
  /** How long it is cached who is in a channel. */
  membersMaxAgeMs?: number;
}

/** `unreachable`: Slack doesn't answer. `unclear`: its answer doesn't show whether the app is installed. */
export interface InstallationState {
  state: 'installed' | 'removed' | 'unclear' | 'unreachable';
  /** The token that was used to ask. */
  token: string | undefined;
}

/** Slack allows one message a second per conversation. */
const defaultPostEveryMs = 1_100;

/** Access to Slack for code that runs without an interaction, such as jobs: clients, people's roles, files, sign-in. */
export function createSlackAccess(
  store: Store,
  options: SlackAccessOptions,
  publicHosts: Dispatcher,
  { log, metrics }: { log: Log; metrics: Meter },
) {
  const { botToken, apiUrl, oauth, authorizeUrl, postEveryMs = defaultPostEveryMs, membersMaxAgeMs } = options;
  const installations = createInstallations(store);
  const clientsFor = createClients({ apiUrl, log, metrics });
  const configuredBot = createCache<Bot & { workspace: string }>({ ttlMs: 3_600_000, maxEntries: 1 });

  async function botWith(token: string): Promise<Bot & { workspace: string }> {
    const {
      team_id: workspace = '',
      bot_id,
      user_id,
      response_metadata,
    } = await clientsFor(token).retrying.auth.test();
    return {
      token,
      workspace,
      botId: bot_id,
      botUserId: user_id,
      scopes: response_metadata?.scopes ?? [],
      installedBy: undefined,
    };
  }

  async function botOf(workspace: string): Promise<Bot | undefined> {
    if (botToken === undefined) return installations.botOf(workspace);
    const bot = await configuredBot.get('only', () => botWith(botToken));
    return bot.workspace === workspace ? bot : undefined;
  }

  async function clientsOf(workspace: string): Promise<Clients> {
    const bot = await botOf(workspace);
    if (bot === undefined) throw new DroplineError('not-found', "Dropline isn't installed in this workspace.");
    return clientsFor(bot.token);
  }

  const clientOf = async (workspace: string): Promise<WebClient> => (await clientsOf(workspace)).retrying;
  const noRetryClientOf = async (workspace: string): Promise<WebClient> => (await clientsOf(workspace)).once;
  const filesClientOf = async (workspace: string): Promise<WebClient> => (await clientsOf(workspace)).files;

  async function installationStateOf(workspace: string): Promise<InstallationState> {
    // The cached installation can be outdated.
    installations.evict(workspace);
    const token = botToken ?? (await installations.botOf(workspace))?.token;
    if (token === undefined) return { state: 'removed', token };
    try {
      // If Dropline serves only another workspace, its token doesn't show whether the app is installed in this one.
      return { state: (await botWith(token)).workspace === workspace ? 'installed' : 'unclear', token };
    } catch (error) {
      if (!isSlackFailure(error)) throw error;
      if (platformErrorOf(error) === undefined) return { state: 'unreachable', token };
      return { state: isRefused(error, 'removed') ? 'removed' : 'unclear', token };
    }
  }

  return {
    installations,
    botOf,
    clientOf,
    noRetryClientOf,
    filesClientOf,
    installationStateOf,
    // An app with a configured bot token has no redirect URLs, which sign-in needs.
    signIn:
      oauth === undefined || botToken !== undefined ? undefined : createSignIn({ ...oauth, apiUrl, authorizeUrl, log }),
    posting: createPosting({ clientOf, noRetryClientOf }, postEveryMs),
    people: createPeople(clientOf, membersMaxAgeMs),
    sources: createFileSources({ botOf, clientOf: filesClientOf, apiUrl, publicHosts }),
  };
}
