import { randomBytes } from 'node:crypto';
import { install } from '../delivery/installation.ts';
import { newSecret } from '../state/ids.ts';
import type { Json } from '../state/model.ts';
import { type Grant, teamOf, userOf } from '../state/world.ts';
import { requiredText, text } from './arguments.ts';
import { checkSecret } from './auth.ts';
import { type AppCall, type Method, special, tier4 } from './method.ts';
import { SlackRefusal } from './refusal.ts';

export const oauthMethods: Record<string, Method> = {
  'oauth.v2.access': {
    token: 'none',
    args: ['client_id', 'client_secret', 'code', 'redirect_uri', 'grant_type'],
    perMinute: tier4,
    handler: access,
  },
  'openid.connect.token': {
    token: 'none',
    args: ['client_id', 'client_secret', 'code', 'redirect_uri', 'grant_type'],
    perMinute: special,
    handler: identify,
  },
};

const codeTtlMs = 10 * 60_000;

/** Redeems the code from the consent or sign-in page; works once. */
function redeemGrant(call: AppCall, isSignIn: boolean): Grant {
  const { world, args } = call;
  checkSecret(call);
  const grantType = text(args, 'grant_type');
  if (grantType !== undefined && grantType !== 'authorization_code') throw new SlackRefusal('invalid_grant_type');
  const grant = world.grants.get(requiredText(args, 'code'));
  const isWrongKind = (grant?.signIn !== undefined) !== isSignIn;
  if (!grant || isWrongKind || world.clock() - grant.issued >= codeTtlMs) throw new SlackRefusal('invalid_code');
  if (grant.used) throw new SlackRefusal('code_already_used');
  if (text(args, 'redirect_uri') !== grant.redirectUri) throw new SlackRefusal('bad_redirect_uri');
  grant.used = true;
  return grant;
}

/** Sign in with Slack: returns an id token that identifies the person. */
function identify(call: AppCall): Json {
  const { world } = call;
  const { teamId, userId, signIn } = redeemGrant(call, true);
  const now = Math.floor(world.clock() / 1000);
  const claims = {
    iss: world.origin,
    sub: userId,
    aud: world.app.clientId,
    exp: now + 300,
    iat: now,
    auth_time: now,
    ...(signIn?.nonce === undefined ? {} : { nonce: signIn.nonce }),
    'https://slack.com/team_id': teamId,
    'https://slack.com/user_id': userId,
  };
  const parts = [{ typ: 'JWT', alg: 'RS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)));
  const id_token = [...parts, randomBytes(256)].map((part) => part.toString('base64url')).join('.');
  return { access_token: `xoxp-${newSecret()}`, token_type: 'Bearer', id_token };
}

/** Exchanges the code of the consent page for a token; works once. */
function access(call: AppCall): Json {
  const { world } = call;
  const grant = redeemGrant(call, false);
  const team = teamOf(world, grant.teamId);
  const granted = grant.scopes.filter((scope) => !world.behaviour.withheldScopes.includes(scope));
  const installation = install(world, team, userOf(team, grant.userId), granted);
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
    ...(world.behaviour.orgWideInstalls && {
      team: null,
      enterprise: { id: 'E0ACMEGROUP0', name: 'Acme Group' },
      is_enterprise_install: true,
    }),
  };
}
