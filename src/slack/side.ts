import type { WebClient } from '@slack/web-api';
import { createCache } from '../cache.ts';
import { DroplineError } from '../errors.ts';
import type { Store } from '../store/index.ts';
import { type Clients, createClients } from './clients.ts';
import { createFileSources } from './files.ts';
import { type Bot, createInstallations } from './installations.ts';
import type { SlackLog } from './log.ts';
import { createPeople } from './people.ts';
import { isSlackFailure, platformErrorOf } from './platform-errors.ts';
import { createSignIn } from './sign-in.ts';

export interface SlackSideOptions {
  /** The bot of the one workspace that is served, where it is only one. */
  botToken: string | undefined;
  apiUrl: string | undefined;
  fileHosts: readonly string[];
  oauth: { clientId: string; clientSecret: string } | undefined;
  authorizeUrl: string | undefined;
}

/** What Slack says of the app in a workspace: `away` where Slack does not answer, `unclear` where it refuses to say. */
export interface Standing {
  is: 'installed' | 'removed' | 'unclear' | 'away';
  /** With which it was asked. */
  token: string | undefined;
}

/** How Slack refuses the token of an app that was removed. `invalid_auth` is not among them: it may be about our address. */
const withdrawn = ['account_inactive', 'token_revoked'];

/** What is known of Slack outside of a conversation with it: whose bot speaks, who is who, what a file is. */
export function createSlackSide(store: Store, options: SlackSideOptions, log: SlackLog) {
  const { botToken, apiUrl, fileHosts, oauth, authorizeUrl } = options;
  const installations = createInstallations(store);
  const clientsFor = createClients({ apiUrl, log });
  const only = createCache<Bot & { workspace: string }>({ lifeMs: 3_600_000, most: 1 });

  async function botWith(token: string): Promise<Bot & { workspace: string }> {
    const { team_id: workspace = '', bot_id, user_id, response_metadata } = await clientsFor(token).patient.auth.test();
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
    const bot = await only.get('only', () => botWith(botToken));
    return bot.workspace === workspace ? bot : undefined;
  }

  async function clientsOf(workspace: string): Promise<Clients> {
    const bot = await botOf(workspace);
    if (bot === undefined)
      throw new DroplineError('not-found', 'Dropline is not installed in this workspace (any more).');
    return clientsFor(bot.token);
  }

  const clientOf = async (workspace: string): Promise<WebClient> => (await clientsOf(workspace)).patient;
  const filesClientOf = async (workspace: string): Promise<WebClient> => (await clientsOf(workspace)).files;

  async function standingOf(workspace: string): Promise<Standing> {
    // What is kept in memory may be of an installation before this one.
    installations.forget(workspace);
    const token = botToken ?? (await installations.botOf(workspace))?.token;
    if (token === undefined) return { is: 'removed', token };
    try {
      // The token of another workspace, which is the only one that is served, says nothing of this one.
      return { is: (await botWith(token)).workspace === workspace ? 'installed' : 'unclear', token };
    } catch (error) {
      if (!isSlackFailure(error)) throw error;
      const refusal = platformErrorOf(error);
      const isAway = refusal === undefined;
      return { is: withdrawn.includes(refusal ?? '') ? 'removed' : isAway ? 'away' : 'unclear', token };
    }
  }

  return {
    installations,
    botOf,
    clientOf,
    filesClientOf,
    standingOf,
    // An app with a bot's token needs no redirect URLs, so Slack could not send anyone back.
    signIn:
      oauth === undefined || botToken !== undefined ? undefined : createSignIn({ ...oauth, apiUrl, authorizeUrl, log }),
    people: createPeople(clientOf),
    sources: createFileSources({
      botOf,
      clientOf: filesClientOf,
      fileHosts,
    }),
  };
}
