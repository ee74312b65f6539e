import { directChannel, directChannelOfApp } from '../api/conversation.ts';
import { canOpen } from '../client/surface.ts';
import { announceHome } from '../delivery/announce.ts';
import type { Channel, Place, Team, User } from '../model.ts';
import { clientOf, type World } from '../world.ts';
import { NotThere } from './find.ts';

/** Goes to a channel ("#general"), to somebody or the app by name, or to the app's Home ("Home of …"). */
export function openPlace(world: World, team: Team, user: User, name: string): void {
  const client = clientOf(team, user.id);
  client.place = findPlace(world, team, user, name);
  client.notices = [];
}

function findPlace(world: World, team: Team, user: User, name: string): Place {
  if (name.startsWith('#')) return { kind: 'channel', channelId: findChannel(team, user, name.slice(1)).id };
  const { manifest } = world.app;
  const app = manifest.display_information.name;
  if (name === app || name === `Home of ${app}`) {
    if (!team.installation || user.teamId !== team.id) throw new NotThere(`${user.name} does not have ${app}`);
    return openApp(world, team, user, name === app ? 'messages' : 'home');
  }
  const other = [...team.users.values()].find((one) => one.name === name && one !== user);
  if (!other) throw new NotThere(`${user.name} knows no ${name}`);
  return { kind: 'channel', channelId: directChannel(world, team, user, other).id };
}

function findChannel(team: Team, user: User, name: string): Channel {
  const channel = [...team.channels.values()].find((one) => one.kind !== 'im' && one.name === name);
  if (!channel || !canOpen(team, channel, user)) throw new NotThere(`${user.name} sees no #${name}`);
  return channel;
}

function openApp(world: World, team: Team, user: User, tab: 'home' | 'messages'): Place {
  const { home_tab_enabled: home, messages_tab_enabled: messages } = world.app.manifest.features?.app_home ?? {};
  if (tab === 'home' ? home !== true : messages === false) throw new NotThere(`the app has no ${tab} tab`);
  const channel = directChannelOfApp(world, team, user);
  announceHome(world, team, user, channel, tab);
  return tab === 'home' ? { kind: 'home' } : { kind: 'channel', channelId: channel.id };
}

/** The conversation that is before them. */
export function currentChannel(team: Team, user: User): Channel {
  const { place } = clientOf(team, user.id);
  const channel = place?.kind === 'channel' ? team.channels.get(place.channelId) : undefined;
  if (!channel) throw new Error(`${user.name} is not in a conversation`);
  return channel;
}
