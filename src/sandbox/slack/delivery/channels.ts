import type { Channel, Team, User } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { announceJoin, announceLeave } from './announce.ts';

export function joinChannel(world: World, team: Team, channel: Channel, user: User, inviter?: User): void {
  if (user.role === 'stranger' && !channel.shared) throw new Error(`#${channel.name} is not shared with ${user.name}`);
  if (channel.members.has(user.id)) return;
  channel.members.add(user.id);
  announceJoin(world, team, channel, user, inviter);
}

export function leaveChannel(world: World, team: Team, channel: Channel, user: User): void {
  if (!channel.members.has(user.id)) return;
  // Announce first, so that the leaving member still gets the event.
  announceLeave(world, team, channel, user);
  channel.members.delete(user.id);
}
