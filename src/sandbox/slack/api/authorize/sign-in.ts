import { type Answer, htmlAnswer } from '../../http.ts';
import { newSecret } from '../../state/ids.ts';
import { redirectUrls } from '../../state/manifest.ts';
import type { User } from '../../state/model.ts';
import type { World } from '../../state/world.ts';
import { redirect } from './consent.ts';
import { errorPage, signInPage } from './pages.ts';

interface AuthorizeRequest {
  redirectUri: string;
  scopes: string[];
  state: string | undefined;
  nonce: string | undefined;
  teamId: string | undefined;
}

/** Sign in with Slack. Slack knows the person from their session; here the page asks. */
export function showSignIn(world: World, query: string): Answer {
  const authorizeRequest = parse(world, query);
  if (typeof authorizeRequest === 'string') return htmlAnswer(400, errorPage(authorizeRequest));
  const teams = [...world.teams.values()].filter(
    ({ id }) => authorizeRequest.teamId === undefined || id === authorizeRequest.teamId,
  );
  const people = teams.map((team) => ({ team, users: [...team.users.values()].filter(canSignIn) }));
  const { name } = world.app.manifest.display_information;
  return htmlAnswer(200, signInPage({ name, people, action: `?${query}` }));
}

/** Guests can sign in too. */
function canSignIn(user: User): boolean {
  return ['owner', 'admin', 'member', 'guest'].includes(user.role) && !user.deactivated;
}

/** Handles the sign-in form: redirects the browser to the bot. */
export function decideSignIn(world: World, query: string, body: string): Answer {
  const authorizeRequest = parse(world, query);
  if (typeof authorizeRequest === 'string') return htmlAnswer(400, errorPage(authorizeRequest));
  const form = new URLSearchParams(body);
  const { redirectUri, scopes, state, nonce } = authorizeRequest;
  const target = new URL(redirectUri);
  if (state !== undefined) target.searchParams.set('state', state);
  if (form.get('decision') !== 'allow') {
    target.searchParams.set('error', 'access_denied');
    return redirect(target);
  }
  const userId = form.get('user') ?? '';
  const team = [...world.teams.values()].find(({ users }) => users.has(userId));
  const user = team?.users.get(userId);
  if (!team || !user || !canSignIn(user)) return htmlAnswer(403, errorPage('you are not signed in'));
  const code = newSecret();
  const issued = world.clock();
  world.grants.set(code, { teamId: team.id, userId, scopes, redirectUri, issued, used: false, signIn: { nonce } });
  target.searchParams.set('code', code);
  return redirect(target);
}

/** The parsed parameters, or an error code. */
function parse(world: World, query: string): AuthorizeRequest | string {
  const parameters = new URLSearchParams(query);
  const { manifest, clientId } = world.app;
  if (parameters.get('client_id') !== clientId) return 'invalid_client_id';
  if (parameters.get('response_type') !== 'code') return 'invalid_response_type';
  const scopes = (parameters.get('scope') ?? '').split(/[ ,]/).filter((scope) => scope !== '');
  const known = manifest.oauth_config?.scopes?.user ?? [];
  if (!scopes.includes('openid') || scopes.some((scope) => !known.includes(scope))) return 'invalid_scope';
  const redirectUri = parameters.get('redirect_uri') ?? '';
  if (!redirectUrls(manifest, world.botOrigin).includes(redirectUri)) return 'bad_redirect_uri';
  return {
    redirectUri,
    scopes,
    state: parameters.get('state') ?? undefined,
    nonce: parameters.get('nonce') ?? undefined,
    teamId: parameters.get('team') ?? undefined,
  };
}
