import { newId, newSecret } from '../state/ids.ts';
import type { Installation, Team, User } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { announce } from './announce.ts';
import { installationForEvent } from './subscription.ts';

/** Installs or reinstalls the app. A reinstallation keeps the scopes granted before and revokes the old token. */
export function install(world: World, team: Team, by: User, scopes: readonly string[]): Installation {
  const user = appUser(world, team);
  const previous = team.installation;
  if (previous) world.revokedTokens.set(previous.token, 'token_revoked');
  const installation: Installation = {
    token: `xoxb-${team.id}-${newSecret()}`,
    scopes: [...new Set([...(previous?.scopes ?? []), ...scopes])],
    installer: by.id,
    botUserId: user.id,
    botId: user.botId ?? '',
  };
  team.installation = installation;
  return installation;
}

/** The app's user in a workspace. It survives uninstalling and is reused by the next installation. */
function appUser(world: World, team: Team): User {
  if (team.appUser) return team.appUser;
  const { features, display_information } = world.app.manifest;
  const user: User = {
    id: newId('U'),
    teamId: team.id,
    name: display_information.name,
    handle: features?.bot_user?.display_name ?? display_information.name.toLowerCase(),
    email: '',
    role: 'app',
    deactivated: false,
    botId: newId('B'),
  };
  team.users.set(user.id, user);
  team.appUser = user;
  return user;
}

export type UninstallEvent = 'app_uninstalled' | 'tokens_revoked';

/** Uninstalls the app. Both events are sent, in either order: Slack guarantees no order. */
export function endInstallation(world: World, team: Team, first: UninstallEvent = 'tokens_revoked'): void {
  const { installation } = team;
  if (!installation) throw new Error(`the app is not installed in ${team.name}`);
  const notified = {
    app_uninstalled: installationForEvent(world, team, 'app_uninstalled'),
    tokens_revoked: installationForEvent(world, team, 'tokens_revoked'),
  };
  world.revokedTokens.set(installation.token, 'account_inactive');
  team.installation = undefined;
  for (const channel of team.channels.values()) {
    if (channel.kind !== 'im') channel.members.delete(installation.botUserId);
  }
  for (const view of team.views.values()) team.views.delete(view.id);
  for (const client of team.clients.values()) client.modals = [];
  team.homes.clear();
  const events = {
    app_uninstalled: { type: 'app_uninstalled', event_ts: world.nextTs() },
    tokens_revoked: tokensRevoked(world, installation),
  };
  const second = first === 'tokens_revoked' ? 'app_uninstalled' : 'tokens_revoked';
  for (const name of [first, second] as const) {
    const notifiedInstallation = notified[name];
    if (notifiedInstallation) announce(world, team, notifiedInstallation, events[name]);
  }
}

/** Revokes only the token; the app stays in the workspace but can't do anything. */
export function revokeToken(world: World, team: Team): void {
  const { installation } = team;
  if (!installation) throw new Error(`the app is not installed in ${team.name}`);
  const notifiedInstallation = installationForEvent(world, team, 'tokens_revoked');
  world.revokedTokens.set(installation.token, 'token_revoked');
  team.installation = undefined;
  if (notifiedInstallation) announce(world, team, notifiedInstallation, tokensRevoked(world, installation));
}

function tokensRevoked(world: World, { botUserId }: Installation) {
  return { type: 'tokens_revoked', tokens: { oauth: [], bot: [botUserId] }, event_ts: world.nextTs() };
}
