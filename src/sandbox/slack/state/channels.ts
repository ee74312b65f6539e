import { newId } from './ids.ts';
import type { Channel, Team, User } from './model.ts';
import type { World } from './world.ts';

type NewChannel = Pick<Channel, 'id' | 'name' | 'kind'> & Partial<Pick<Channel, 'shared' | 'invited' | 'archived'>>;

/** The first member is the creator. */
export function addChannel(world: World, team: Team, options: NewChannel, members: readonly User[]): Channel {
  const channel: Channel = {
    shared: false,
    invited: false,
    archived: false,
    ...options,
    created: Math.floor(world.clock() / 1000),
    creator: members[0]?.id ?? '',
    members: new Set(members.map(({ id }) => id)),
    messages: [],
  };
  team.channels.set(channel.id, channel);
  return channel;
}

/** The direct conversation of two users, created on first use. */
export function directChannel(world: World, team: Team, one: User, other: User): Channel {
  const existing = [...team.channels.values()].find(
    ({ kind, members }) => kind === 'im' && members.has(one.id) && members.has(other.id),
  );
  if (existing) return existing;
  return addChannel(world, team, { id: newId('D'), name: 'directmessage', kind: 'im' }, [one, other]);
}

/** The app's direct conversation with a user. */
export function directChannelOfApp(world: World, team: Team, user: User): Channel {
  if (!team.appUser) throw new Error(`the app was never installed in ${team.name}`);
  return directChannel(world, team, team.appUser, user);
}

export function joinChannel(channel: Channel, user: User): void {
  if (user.role === 'stranger' && !channel.shared) throw new Error(`#${channel.name} is not shared with ${user.name}`);
  channel.members.add(user.id);
}

/** Gives the channel another id, wherever the old one is. Returns the old one. */
export function changeChannelId(world: World, team: Team, channel: Channel): string {
  const before = channel.id;
  const id = newId('C');
  team.channels.delete(before);
  channel.id = id;
  team.channels.set(id, channel);
  const shares = [...team.files.values()].flatMap((file) => file.shares);
  const destinations = [...team.clients.values()].flatMap(({ destination }) =>
    destination?.kind === 'channel' ? [destination] : [],
  );
  const urls = [...world.responseUrls.values()].filter(({ teamId }) => teamId === team.id);
  for (const place of [...shares, ...destinations, ...urls]) if (place.channelId === before) place.channelId = id;
  return before;
}
