import type { Channel, Json, Team, User } from '../state/model.ts';
import { textOf } from './markup.ts';

/** A conversation as this person calls it. */
export function channelTitle(team: Team, channel: Channel, user: User): string {
  if (channel.kind !== 'im') return `#${channel.name}`;
  const other = [...channel.members].find((id) => id !== user.id) ?? user.id;
  return team.users.get(other)?.name ?? other;
}

/** The label of an option, person, conversation or file. */
export function nameOf(team: Team, user: User, item: unknown): string {
  if (typeof item === 'object' && item !== null) return textOf(team, (item as Json).text);
  const id = String(item);
  const channel = team.channels.get(id);
  return channel ? channelTitle(team, channel, user) : (team.users.get(id)?.name ?? team.files.get(id)?.name ?? id);
}
