import type { Json } from '../state/model.ts';
import { text } from './arguments.ts';
import { type AppCall, type BotCall, type Method, special, tier1 } from './method.ts';
import { SlackRefusal } from './refusal.ts';

export const authMethods: Record<string, Method> = {
  'auth.test': { token: 'bot', scopes: [], args: [], perMinute: special, handler: authTest },
  'apps.connections.open': { token: 'app', args: [], perMinute: tier1, handler: openConnection },
};

function authTest({ world, team, installation }: BotCall): Json {
  return {
    url: `${world.origin}/`,
    team: team.name,
    user: team.appUser?.handle,
    team_id: team.id,
    user_id: installation.botUserId,
    bot_id: installation.botId,
    is_enterprise_install: false,
  };
}

function openConnection({ world }: AppCall): Json {
  if (world.app.manifest.settings?.socket_mode_enabled !== true) throw new SlackRefusal('access_denied');
  const url = new URL('/link/', world.origin.replace('http', 'ws'));
  url.searchParams.set('ticket', world.sockets.issueTicket());
  url.searchParams.set('app_id', world.app.id);
  return { url: url.href };
}

/** Checks the app's client id and secret, from the arguments or from Basic authentication. */
export function checkSecret({ world, args, credentials }: AppCall): void {
  const id = credentials?.id ?? text(args, 'client_id');
  const secret = credentials?.secret ?? text(args, 'client_secret');
  if (id !== world.app.clientId) throw new SlackRefusal('invalid_client_id');
  if (secret !== world.app.clientSecret) throw new SlackRefusal('bad_client_secret');
}
