import { install } from '../installation.ts';
import type { Json } from '../model.ts';
import { teamOf, userOf } from '../world.ts';
import { requiredText, text } from './arguments.ts';
import { checkSecret } from './auth.ts';
import { type AppCall, type Method, tier4 } from './method.ts';
import { SlackRefusal } from './refusal.ts';

export const oauthMethods: Record<string, Method> = {
  'oauth.v2.access': {
    token: 'none',
    args: ['client_id', 'client_secret', 'code', 'redirect_uri', 'grant_type'],
    perMinute: tier4,
    handler: access,
  },
};

const codeLifeMs = 10 * 60_000;

/** Exchanges what the consent page handed over for a token, once. */
function access(call: AppCall): Json {
  const { world, args } = call;
  checkSecret(call);
  const grantType = text(args, 'grant_type');
  if (grantType !== undefined && grantType !== 'authorization_code') throw new SlackRefusal('invalid_grant_type');
  const grant = world.grants.get(requiredText(args, 'code'));
  if (!grant || world.clock() - grant.issued >= codeLifeMs) throw new SlackRefusal('invalid_code');
  if (grant.used) throw new SlackRefusal('code_already_used');
  if (text(args, 'redirect_uri') !== grant.redirectUri) throw new SlackRefusal('bad_redirect_uri');
  grant.used = true;
  const team = teamOf(world, grant.teamId);
  const installation = install(world, team, userOf(team, grant.userId), grant.scopes);
  return {
    app_id: world.app.id,
    authed_user: { id: grant.userId },
    scope: installation.scopes.join(','),
    token_type: 'bot',
    access_token: installation.token,
    bot_user_id: installation.botUserId,
    team: { id: team.id, name: team.name },
    enterprise: null,
    is_enterprise_install: false,
  };
}
