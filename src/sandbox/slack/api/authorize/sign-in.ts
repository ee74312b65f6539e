import { type Answer, htmlAnswer } from '../../http.ts';
import { canRedirectTo, redirectUrls } from '../../state/manifest.ts';
import type { User } from '../../state/model.ts';
import type { World } from '../../state/world.ts';
import { type AuthorizeRequest, decide, eligiblePeople } from './decide.ts';
import { errorPage, signInPage } from './pages.ts';

/** Sign in with Slack. */
export function showSignIn(world: World, query: string): Answer {
  const authorizeRequest = parse(world, query);
  if (typeof authorizeRequest === 'string') return htmlAnswer(400, errorPage(authorizeRequest));
  const people = eligiblePeople(canSignIn, world, authorizeRequest);
  const { name } = world.app.manifest.display_information;
  return htmlAnswer(200, signInPage({ name, people, action: `?${query}` }));
}

/** Guests can sign in too. */
function canSignIn(user: User): boolean {
  return ['owner', 'admin', 'member', 'guest'].includes(user.role) && !user.deactivated;
}

export function decideSignIn(world: World, query: string, body: string): Answer {
  const authorizeRequest = parse(world, query);
  if (typeof authorizeRequest === 'string') return htmlAnswer(400, errorPage(authorizeRequest));
  const nonce = new URLSearchParams(query).get('nonce') ?? undefined;
  const granting = { can: canSignIn, refusal: 'you are not signed in', signIn: { nonce } };
  return decide(world, authorizeRequest, new URLSearchParams(body), granting);
}

/** The parsed parameters, or an error code. */
function parse(world: World, query: string): AuthorizeRequest | string {
  const parameters = new URLSearchParams(query);
  const { manifest, clientId } = world.app;
  if (parameters.get('client_id') !== clientId) return 'invalid_client_id';
  if (parameters.get('response_type') !== 'code') return 'invalid_response_type';
  const scopes = (parameters.get('scope') ?? '').split(/[ ,]/).filter((scope) => scope !== '');
  const manifestScopes = manifest.oauth_config?.scopes?.user ?? [];
  if (!scopes.includes('openid') || scopes.some((scope) => !manifestScopes.includes(scope))) return 'invalid_scope';
  const redirectUri = parameters.get('redirect_uri') ?? '';
  if (!canRedirectTo(redirectUri, redirectUrls(manifest, world.botOrigin))) return 'bad_redirect_uri';
  return {
    scopes,
    state: parameters.get('state') ?? undefined,
    redirectTo: redirectUri,
    redirectUri,
    teamId: parameters.get('team') ?? undefined,
  };
}
