import { canOpen, canRead } from '../client/surface.ts';
import type { Channel, Team, User } from '../state/model.ts';
import { clientOf } from '../state/world.ts';
import type { SidebarEntry } from './client/state.ts';
import { isPlayable } from './members.ts';

/** Channels that this person is in or can view. */
export function channelEntries(team: Team, user: User): SidebarEntry[] {
  return [...team.channels.values()]
    .filter((channel) => channel.kind !== 'im' && canOpen(channel, user))
    .map((channel) => ({
      opens: `#${channel.name}`,
      title: channel.name,
      kind: channel.kind === 'private' ? ('private' as const) : ('public' as const),
      ...entryState(team, user, channel),
    }));
}

/** The app and everyone else who can be messaged, with or without earlier messages. */
export function directEntries(team: Team, user: User): SidebarEntry[] {
  const others = [...team.users.values()].filter((other) => other !== user && isPlayable(other));
  const app = team.installation && user.role !== 'stranger' ? team.appUser : undefined;
  return [...(app ? [app] : []), ...others].map((other) => ({
    opens: other.name,
    title: other.name,
    kind: other === app ? ('app' as const) : ('person' as const),
    ...entryState(team, user, directChannel(team, user, other), other === app),
  }));
}

function directChannel(team: Team, user: User, other: User): Channel | undefined {
  return [...team.channels.values()].find(
    ({ kind, members }) => kind === 'im' && members.has(user.id) && members.has(other.id),
  );
}

function entryState(team: Team, user: User, channel: Channel | undefined, isApp = false) {
  const { destination } = clientOf(team, user.id);
  const isOpen = destination?.kind === 'channel' && destination.channelId === channel?.id;
  const fromOthers = channel?.messages.filter((other) => other.userId !== user.id && canRead(channel, other, user));
  const latest = fromOthers?.at(-1)?.ts;
  return {
    isCurrent: isOpen || (isApp && destination?.kind === 'home'),
    isShared: channel?.shared === true,
    ...(latest !== undefined && { latest }),
  };
}
