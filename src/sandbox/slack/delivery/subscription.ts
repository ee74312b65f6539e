import { scopeOfEvent } from '../state/manifest.ts';
import type { Channel, Installation, Team } from '../state/model.ts';
import { isAppMember, type World } from '../state/world.ts';

/** The installation to notify of an event, if the manifest subscribes to it and the scope was granted. */
export function installationForEvent(world: World, team: Team, name: string): Installation | undefined {
  const { installation } = team;
  const subscribed = world.app.manifest.settings?.event_subscriptions?.bot_events?.includes(name) === true;
  if (!installation || !subscribed) return undefined;
  const scope = scopeOfEvent[name];
  return scope === undefined || installation.scopes.includes(scope) ? installation : undefined;
}

/** Like `installationForEvent`, for an event in a conversation. The app must be a member of the conversation. */
export function installationForChannelEvent(
  world: World,
  team: Team,
  channel: Channel,
  name: string,
): Installation | undefined {
  return isAppMember(team, channel) ? installationForEvent(world, team, name) : undefined;
}
