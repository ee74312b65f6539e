import { announceChannelId } from './delivery/announce.ts';
import type { Person } from './person/person.ts';
import { addChannel, changeChannelId, joinChannel } from './state/channels.ts';
import { newId } from './state/ids.ts';
import type { Channel as ChannelRecord, Message, Team, User } from './state/model.ts';
import { userOf, type World } from './state/world.ts';

export interface ChannelOptions {
  name: string;
  id?: string;
  kind?: 'public' | 'private';
  /** Shared with another organisation. Only shared channels can have its people as members. */
  shared?: boolean;
  /** Another organisation is invited and hasn't accepted yet. */
  invited?: boolean;
  archived?: boolean;
  /** `app` is the app, which must be installed first. */
  members?: readonly (Person | 'app')[];
}

/** A channel for tests: its state, and changes that are not made by a person. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly messages: readonly Message[];
  add(member: Person | 'app'): void;
  remove(member: Person | 'app'): void;
  archive(): void;
  unarchive(): void;
  /** Shares the channel with another organisation. */
  share(): void;
  unshare(): void;
  /** An admin of the workspace makes a private channel public, or a public one private. */
  setKind(kind: 'public' | 'private'): void;
  /** The id changes for good, as when someone starts to share a private channel. The old one is unknown from then on. */
  changeId(): void;
}

export function createChannel(world: World, team: Team, options: ChannelOptions): ChannelRecord {
  const { name, kind = 'public', shared = false, invited = false, archived = false, members = [] } = options;
  if ([...team.channels.values()].some((channel) => channel.name === name && channel.kind !== 'im')) {
    throw new Error(`#${name} already exists`);
  }
  const users = members.map((member) => memberOf(team, member));
  const stranger = users.find(({ role }) => role === 'stranger');
  if (stranger && !shared) throw new Error(`#${name} is not shared, so ${stranger.name} cannot be in it`);
  return addChannel(world, team, { id: options.id ?? newId('C'), name, kind, shared, invited, archived }, users);
}

function memberOf(team: Team, member: Person | 'app'): User {
  if (member !== 'app') return userOf(team, member.id);
  if (!team.appUser) throw new Error(`the app was never installed in ${team.name}`);
  return team.appUser;
}

export function channelHandle(world: World, team: Team, channel: ChannelRecord): Channel {
  return {
    get id() {
      return channel.id;
    },
    name: channel.name,
    get messages() {
      return channel.messages;
    },
    add: (member) => joinChannel(channel, memberOf(team, member)),
    remove: (member) => void channel.members.delete(memberOf(team, member).id),
    archive() {
      channel.archived = true;
    },
    unarchive() {
      channel.archived = false;
    },
    share() {
      channel.shared = true;
    },
    unshare() {
      channel.shared = false;
    },
    setKind(kind) {
      channel.kind = kind;
    },
    changeId: () => announceChannelId(world, team, channel, changeChannelId(world, team, channel)),
  };
}
