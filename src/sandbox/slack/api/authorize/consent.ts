import { type Answer, htmlAnswer, textAnswer } from '../../http.ts';
import { newSecret } from '../../state/ids.ts';
import { optionalScopes, redirectUrls, scopesOf } from '../../state/manifest.ts';
import type { User } from '../../state/model.ts';
import type { World } from '../../state/world.ts';
import { consentPage, errorPage } from './pages.ts';

/** The parameters with which the bot sends a person here. */
interface AuthorizeRequest {
  scopes: string[];
  state: string | undefined;
  /** The URL to which the person is redirected. */
  redirectTo: string;
  /** As requested; the bot must repeat it when it redeems the code. */
  redirectUri: string | undefined;
  teamId: string | undefined;
}

export function showConsent(world: World, query: string): Answer {
  const authorizeRequest = parse(world, query);
  if (typeof authorizeRequest === 'string') return htmlAnswer(400, errorPage(authorizeRequest));
  const teams = [...world.teams.values()].filter(
    ({ id }) => authorizeRequest.teamId === undefined || id === authorizeRequest.teamId,
  );
  const people = teams.map((team) => ({
    team,
    users: [...team.users.values()].filter((user) => canInstall(user)),
  }));
  const optional = optionalScopes(world.app.manifest).filter((scope) => authorizeRequest.scopes.includes(scope));
  const required = authorizeRequest.scopes.filter((scope) => !optional.includes(scope));
  const { name } = world.app.manifest.display_information;
  return htmlAnswer(200, consentPage({ name, people, required, optional, action: `?${query}` }));
}

/** Guests and people of other organisations can't install apps. */
function canInstall(user: User): boolean {
  return ['owner', 'admin', 'member'].includes(user.role) && !user.deactivated;
}

/** Handles the consent form: redirects the browser to the bot. */
export function decideConsent(world: World, query: string, body: string): Answer {
  const authorizeRequest = parse(world, query);
  if (typeof authorizeRequest === 'string') return htmlAnswer(400, errorPage(authorizeRequest));
  const form = new URLSearchParams(body);
  const target = new URL(authorizeRequest.redirectTo);
  if (authorizeRequest.state !== undefined) target.searchParams.set('state', authorizeRequest.state);
  if (form.get('decision') !== 'allow') {
    target.searchParams.set('error', 'access_denied');
    return redirect(target);
  }
  const team = [...world.teams.values()].find(({ users }) => users.has(form.get('user') ?? ''));
  const user = team?.users.get(form.get('user') ?? '');
  if (!team || !user || !canInstall(user)) return htmlAnswer(403, errorPage('you may not install apps'));
  const optional = optionalScopes(world.app.manifest);
  const chosen = form.getAll('scope');
  const scopes = authorizeRequest.scopes.filter((scope) => !optional.includes(scope) || chosen.includes(scope));
  const code = newSecret();
  const { redirectUri } = authorizeRequest;
  world.grants.set(code, { teamId: team.id, userId: user.id, scopes, redirectUri, issued: world.clock(), used: false });
  target.searchParams.set('code', code);
  return redirect(target);
}

export function redirect(target: URL): Answer {
  return textAnswer(302, '', { location: target.href });
}

/** The parsed parameters, or an error code. */
function parse(world: World, query: string): AuthorizeRequest | string {
  const parameters = new URLSearchParams(query);
  const { manifest, clientId } = world.app;
  if (parameters.get('client_id') !== clientId) return 'invalid_client_id';
  const scopes = (parameters.get('scope') ?? '').split(',').filter((scope) => scope !== '');
  const known = scopesOf(manifest);
  if (scopes.length === 0 || scopes.some((scope) => !known.includes(scope))) return 'invalid_scope';
  if ((parameters.get('user_scope') ?? '') !== '') return 'invalid_scope_requested';
  const allowed = redirectUrls(manifest, world.botOrigin);
  const redirectUri = parameters.get('redirect_uri') ?? undefined;
  const redirectTo = redirectUri ?? allowed[0];
  if (redirectTo === undefined || !allowed.includes(redirectTo)) return 'bad_redirect_uri';
  return {
    scopes,
    state: parameters.get('state') ?? undefined,
    redirectTo,
    redirectUri,
    teamId: parameters.get('team') ?? undefined,
  };
}
