import { directChannelOfApp } from '../state/channels.ts';
import type { Channel, Installation, Message, Team, User } from '../state/model.ts';
import { isAppMember, type World } from '../state/world.ts';
import { SlackRefusal } from './refusal.ts';

/** A conversation by id. One that the app can't see is answered like one that doesn't exist. */
export function visibleChannel(team: Team, id: string): Channel {
  const channel = team.channels.get(id);
  if (!channel || (channel.kind !== 'public' && !isAppMember(team, channel))) {
    throw new SlackRefusal('channel_not_found');
  }
  return channel;
}

/** The conversation to post to. A user's id means the app's direct conversation with them. */
export function postingChannel(
  world: World,
  team: Team,
  installation: Installation,
  id: string,
  { acceptUserId = true, acceptPublic = true } = {},
): Channel {
  const user = acceptUserId ? team.users.get(id) : undefined;
  const channel = user ? appConversationWith(world, team, user) : visibleChannel(team, id);
  if (channel.archived) throw new SlackRefusal('is_archived');
  const canPostPublicly = acceptPublic && installation.scopes.includes('chat:write.public');
  if (!isAppMember(team, channel) && !canPostPublicly) throw new SlackRefusal('not_in_channel');
  if (channel.kind === 'im' && world.app.manifest.features?.app_home?.messages_tab_enabled === false) {
    throw new SlackRefusal('messages_tab_disabled');
  }
  return channel;
}

function appConversationWith(world: World, team: Team, user: User): Channel {
  if (user.role === 'bot' || user.role === 'app') throw new SlackRefusal('cannot_dm_bot');
  if (user.role === 'stranger' || user.deactivated) throw new SlackRefusal('channel_not_found');
  return directChannelOfApp(world, team, user);
}

/** The thread of a reply. If the parent was deleted, Slack posts to the channel's root and reports no error. */
export function threadOf(channel: Channel, threadTs: string | undefined): Pick<Message, 'threadTs'> {
  const parentExists = channel.messages.some(({ ts }) => ts === threadTs);
  return threadTs === undefined || !parentExists ? {} : { threadTs: threadParent(channel, threadTs).ts };
}

/** The first message of a thread. Refused if it is a reply or an ephemeral message. */
function threadParent(channel: Channel, threadTs: string): Message {
  const parent = channel.messages.find(({ ts, ephemeralTo }) => ts === threadTs && ephemeralTo === undefined);
  if (!parent || (parent.threadTs !== undefined && parent.threadTs !== parent.ts)) {
    throw new SlackRefusal('thread_not_found');
  }
  return parent;
}
