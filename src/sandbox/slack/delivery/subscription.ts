import type { Channel, Installation, Team } from '../state/model.ts';
import { isAppMember, type World } from '../state/world.ts';

/** The events that an app can get. Each needs one of its scopes; an empty list needs none. */
export const eventScopes: Readonly<Record<string, readonly string[]>> = {
  app_home_opened: [],
  app_uninstalled: [],
  tokens_revoked: [],
  app_mention: ['app_mentions:read'],
  file_shared: ['files:read'],
  member_joined_channel: ['channels:read', 'groups:read'],
  member_left_channel: ['channels:read', 'groups:read'],
  'message.channels': ['channels:history'],
  'message.groups': ['groups:history'],
  'message.im': ['im:history'],
};

/** The installation to notify of an event, if the manifest subscribes to it and the scope was granted. */
export function subscriptionTo(world: World, team: Team, name: string): Installation | undefined {
  const { installation } = team;
  const subscribed = world.app.manifest.settings?.event_subscriptions?.bot_events?.includes(name) === true;
  if (!installation || !subscribed) return undefined;
  const scopes = eventScopes[name] ?? [];
  const granted = scopes.length === 0 || scopes.some((scope) => installation.scopes.includes(scope));
  return granted ? installation : undefined;
}

/** The same for events in a conversation, of which the app must be a member. */
export function subscriptionIn(world: World, team: Team, channel: Channel, name: string): Installation | undefined {
  return isAppMember(team, channel) ? subscriptionTo(world, team, name) : undefined;
}

export function messageEventIn(channel: Channel): string {
  return { public: 'message.channels', private: 'message.groups', im: 'message.im' }[channel.kind];
}
