import { type Answer, htmlAnswer } from '../../http.ts';
import { canRedirectTo, optionalScopes, redirectUrls, scopesOf } from '../../state/manifest.ts';
import type { User } from '../../state/model.ts';
import type { World } from '../../state/world.ts';
import { type AuthorizeRequest, decide, eligiblePeople } from './decide.ts';
import { consentPage, errorPage } from './pages.ts';

export function showConsent(world: World, query: string): Answer {
  const authorizeRequest = parse(world, query);
  if (typeof authorizeRequest === 'string') return htmlAnswer(400, errorPage(authorizeRequest));
  const people = eligiblePeople(canInstall, world, authorizeRequest);
  const optional = optionalScopes(world.app.manifest).filter((scope) => authorizeRequest.scopes.includes(scope));
  const required = authorizeRequest.scopes.filter((scope) => !optional.includes(scope));
  const { name } = world.app.manifest.display_information;
  return htmlAnswer(200, consentPage({ name, people, required, optional, action: `?${query}` }));
}

/** Guests and people of other organisations can't install apps. */
function canInstall(user: User): boolean {
  return ['owner', 'admin', 'member'].includes(user.role) && !user.deactivated;
}

export function decideConsent(world: World, query: string, body: string): Answer {
  const authorizeRequest = parse(world, query);
  if (typeof authorizeRequest === 'string') return htmlAnswer(400, errorPage(authorizeRequest));
  const form = new URLSearchParams(body);
  const optional = optionalScopes(world.app.manifest);
  const chosen = form.getAll('scope');
  const scopes = authorizeRequest.scopes.filter((scope) => !optional.includes(scope) || chosen.includes(scope));
  return decide(world, { ...authorizeRequest, scopes }, form, { can: canInstall, refusal: 'you may not install apps' });
}

/** The parsed parameters, or an error code. */
function parse(world: World, query: string): AuthorizeRequest | string {
  const parameters = new URLSearchParams(query);
  const { manifest, clientId } = world.app;
  if (parameters.get('client_id') !== clientId) return 'invalid_client_id';
  const scopes = (parameters.get('scope') ?? '').split(',').filter((scope) => scope !== '');
  const manifestScopes = scopesOf(manifest);
  if (scopes.length === 0 || scopes.some((scope) => !manifestScopes.includes(scope))) return 'invalid_scope';
  if ((parameters.get('user_scope') ?? '') !== '') return 'invalid_scope_requested';
  const allowed = redirectUrls(manifest, world.botOrigin);
  const redirectUri = parameters.get('redirect_uri') ?? undefined;
  const redirectTo = redirectUri ?? allowed[0];
  if (redirectTo === undefined || !canRedirectTo(redirectTo, allowed)) return 'bad_redirect_uri';
  return {
    scopes,
    state: parameters.get('state') ?? undefined,
    redirectTo,
    redirectUri,
    teamId: parameters.get('team') ?? undefined,
  };
}
