import { actorJson } from '../state/json/user.ts';
import type { Channel, Json, Team, User } from '../state/model.ts';
import { channelOf, type World } from '../state/world.ts';

/** The fields of every interaction: workspace, person and app. */
export function commonPayload(world: World, team: Team, user: User): Json {
  return {
    team: { id: team.id, domain: team.domain },
    user: actorJson(user),
    api_app_id: world.app.id,
    token: 'verification-token',
    enterprise: null,
    is_enterprise_install: false,
  };
}

export function channelPayload(team: Team, channelId: string): Json {
  const channel = channelOf(team, channelId);
  return { id: channel.id, name: channelName(channel) };
}

export function channelName(channel: Channel): string {
  if (channel.kind === 'im') return 'directmessage';
  return channel.kind === 'private' ? 'privategroup' : channel.name;
}
