import { newSecret } from '../state/ids.ts';
import type { Channel, Message, Team, User } from '../state/model.ts';
import type { World } from '../state/world.ts';

/** A trigger id: valid for one view and three seconds. */
export function newTrigger(world: World, team: Team, user: User, viewId?: string): string {
  const id = `${Math.floor(world.clock())}.${world.triggers.size + 1}.${newSecret()}`;
  world.triggers.set(id, { teamId: team.id, userId: user.id, viewId, issued: world.clock(), used: false });
  return id;
}

/** A URL at which the bot can answer up to five times within 30 minutes. */
export function newResponseUrl(
  world: World,
  team: Team,
  user: User,
  channel: Channel,
  kind: 'commands' | 'actions' | 'app',
  message?: Message,
): string {
  const path = `/${kind}/${team.id}/${world.responseUrls.size + 1}/${newSecret()}`;
  world.responseUrls.set(path, {
    teamId: team.id,
    channelId: channel.id,
    userId: user.id,
    messageTs: message?.ts,
    issued: world.clock(),
    uses: 0,
  });
  return `${world.origin}${path}`;
}
