import { announceHome } from '../delivery/announce.ts';
import { directChannel, directChannelOfApp } from '../state/channels.ts';
import type { Channel, Destination, Team, User } from '../state/model.ts';
import { clientOf, type World } from '../state/world.ts';
import { NotOnScreen } from './not-on-screen.ts';
import { canOpen } from './surface.ts';

/** Opens a channel ("#general"), a person or the app by name, or the app's Home ("Home of …"). */
export function openDestination(world: World, team: Team, user: User, name: string): void {
  const client = clientOf(team, user.id);
  const { destination, tab } = findDestination(world, team, user, name);
  client.destination = destination;
  client.notices = [];
  if (tab !== undefined) announceHome(world, team, user, directChannelOfApp(world, team, user), tab);
}

/** Like `openDestination`, but does nothing if the person already has this conversation open. */
export function goTo(world: World, team: Team, user: User, name: string): void {
  const { destination } = findDestination(world, team, user, name);
  const current = clientOf(team, user.id).destination;
  const isCurrent =
    destination.kind === 'channel' && current?.kind === 'channel' && current.channelId === destination.channelId;
  if (!isCurrent) openDestination(world, team, user, name);
}

interface FoundDestination {
  destination: Destination;
  /** The app's tab, if the destination is the app. */
  tab?: 'home' | 'messages';
}

function findDestination(world: World, team: Team, user: User, name: string): FoundDestination {
  const { manifest } = world.app;
  const app = manifest.display_information.name;
  if (name === app) return findTab(world, team, user, 'messages');
  if (name === `Home of ${app}`) return findTab(world, team, user, 'home');
  if (name.startsWith('#')) return inChannel(findChannel(team, user, name.slice(1)));
  const other = [...team.users.values()].find((candidate) => candidate.name === name && candidate !== user);
  if (!other) throw new NotOnScreen(`${user.name} knows no ${name}`);
  return inChannel(directChannel(world, team, user, other));
}

function inChannel({ id }: Channel): FoundDestination {
  return { destination: { kind: 'channel', channelId: id } };
}

function findChannel(team: Team, user: User, name: string): Channel {
  const channel = [...team.channels.values()].find((candidate) => candidate.kind !== 'im' && candidate.name === name);
  if (!channel || !canOpen(channel, user)) throw new NotOnScreen(`${user.name} sees no #${name}`);
  return channel;
}

function findTab(world: World, team: Team, user: User, tab: 'home' | 'messages'): FoundDestination {
  const { display_information, features } = world.app.manifest;
  if (!team.installation || user.role === 'stranger') {
    throw new NotOnScreen(`${user.name} does not have ${display_information.name}`);
  }
  const { home_tab_enabled: home, messages_tab_enabled: messages } = features?.app_home ?? {};
  if (tab === 'home' ? home !== true : messages === false) throw new NotOnScreen(`the app has no ${tab} tab`);
  if (tab === 'home') return { destination: { kind: 'home' }, tab };
  return { ...inChannel(directChannelOfApp(world, team, user)), tab };
}

/** The conversation that this person has open. Throws if it is the app's and the messages tab is read-only. */
export function writableChannel(world: World, team: Team, user: User): Channel {
  const channel = currentChannel(team, user);
  const { app_home: home } = world.app.manifest.features ?? {};
  const isWithApp = channel.kind === 'im' && team.appUser !== undefined && channel.members.has(team.appUser.id);
  if (isWithApp && home?.messages_tab_read_only_enabled === true) throw new Error('there is no box to type into');
  return channel;
}

/** The conversation that this person has open. */
export function currentChannel(team: Team, user: User): Channel {
  const { destination } = clientOf(team, user.id);
  const channel = destination?.kind === 'channel' ? team.channels.get(destination.channelId) : undefined;
  if (!channel) throw new Error(`${user.name} is not in a conversation`);
  return channel;
}
