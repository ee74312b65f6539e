import { type Answer, htmlAnswer, textAnswer } from '../../http.ts';
import { newSecret } from '../../state/ids.ts';
import type { Team, User } from '../../state/model.ts';
import type { Grant, World } from '../../state/world.ts';
import { errorPage } from './pages.ts';

/** The parsed query of a consent page or a sign-in page. */
export interface AuthorizeRequest {
  scopes: string[];
  state: string | undefined;
  /** The URL to which the person is redirected. */
  redirectTo: string;
  /** As requested; the bot must repeat it when it redeems the code. */
  redirectUri: string | undefined;
  teamId: string | undefined;
}

/** The people to choose from, by workspace. Slack knows from the session who is signed in; this page asks. */
export function eligiblePeople(
  can: (user: User) => boolean,
  world: World,
  { teamId }: AuthorizeRequest,
): { team: Team; users: User[] }[] {
  const teams = [...world.teams.values()].filter(({ id }) => teamId === undefined || id === teamId);
  return teams.map((team) => ({ team, users: [...team.users.values()].filter(can) }));
}

/** Redirects the browser to the bot with a code, or with an error if the person declined. Refuses ineligible people. */
export function decide(
  world: World,
  { scopes, state, redirectTo, redirectUri }: AuthorizeRequest,
  form: URLSearchParams,
  { can, refusal, ...granted }: { can: (user: User) => boolean; refusal: string } & Pick<Partial<Grant>, 'signIn'>,
): Answer {
  const target = new URL(redirectTo);
  if (state !== undefined) target.searchParams.set('state', state);
  if (form.get('decision') !== 'allow') {
    target.searchParams.set('error', 'access_denied');
    return redirect(target);
  }
  const userId = form.get('user') ?? '';
  const team = [...world.teams.values()].find(({ users }) => users.has(userId));
  const user = team?.users.get(userId);
  if (!team || !user || !can(user)) return htmlAnswer(403, errorPage(refusal));
  const code = newSecret();
  const issued = world.clock();
  world.grants.set(code, { teamId: team.id, userId, scopes, redirectUri, issued, used: false, ...granted });
  target.searchParams.set('code', code);
  return redirect(target);
}

function redirect(target: URL): Answer {
  return textAnswer(302, '', { location: target.href });
}
