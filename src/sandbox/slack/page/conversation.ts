import { channelTitle } from '../client/names.ts';
import { canRead } from '../client/surface.ts';
import type { Channel, Message as MessageRecord, Team, User, View } from '../state/model.ts';
import { initialValues } from '../state/values.ts';
import { channelOf, clientOf, type World } from '../state/world.ts';
import type { Conversation, Message, SharedFile, Surface } from './client/state.ts';
import { fieldValues } from './field-values.ts';
import { memberOf } from './members.ts';

export function conversationOf(world: World, team: Team, user: User, id: string): Conversation {
  const channel = channelOf(team, id);
  const readable = channel.messages.filter((message) => canRead(channel, message, user));
  const closed = closedReason(world, team, user, channel);
  return {
    kind: 'conversation',
    id,
    title: channelTitle(team, channel, user),
    topic: topicOf(team, channel),
    messages: readable.map((message) => messageOf(team, user, channel, message, readable)),
    ...(closed !== undefined && { closed }),
    isApp: isWithApp(team, channel),
  };
}

function isWithApp(team: Team, { kind, members }: Channel): boolean {
  return kind === 'im' && team.appUser !== undefined && members.has(team.appUser.id);
}

function closedReason(world: World, team: Team, user: User, channel: Channel): Conversation['closed'] {
  if (channel.archived) return 'archived';
  if (!channel.members.has(user.id)) return 'not-a-member';
  const isReadOnly = world.app.manifest.features?.app_home?.messages_tab_read_only_enabled === true;
  return isReadOnly && isWithApp(team, channel) ? 'read-only' : undefined;
}

function topicOf(team: Team, { kind, members, shared }: Channel): string {
  if (kind === 'im') return '';
  const names = [...members].map((id) => team.users.get(id)?.name ?? id);
  return `${names.join(', ')}${shared ? ' · shared with another organisation' : ''}`;
}

function messageOf(
  team: Team,
  user: User,
  channel: Channel,
  message: MessageRecord,
  readable: readonly MessageRecord[],
): Message {
  const { ts, threadTs } = message;
  const author = team.users.get(message.userId);
  const isReply = threadTs !== undefined && threadTs !== ts;
  return {
    ts,
    author: author ? memberOf(author) : { id: message.userId, name: message.userId, role: 'bot' },
    text: message.text,
    surface: messageSurface(team, user, channel, message),
    files: message.fileIds.map((id) => fileOf(team, user, id)),
    isOnlyForMe: message.ephemeralTo !== undefined,
    isEdited: message.edited !== undefined && message.botId === undefined,
    ...(isReply && { parent: threadTs, isBroadcast: message.broadcast === true }),
    replies: isReply ? 0 : readable.filter((other) => other !== message && other.threadTs === ts).length,
  };
}

function messageSurface(team: Team, user: User, channel: Channel, message: MessageRecord): Surface {
  const { blocks = [] } = message;
  const values = clientOf(team, user.id).messageValues[message.ts] ?? initialValues(blocks);
  return {
    ref: { kind: 'message', channelId: channel.id, ts: message.ts },
    blocks,
    entered: fieldValues(team, user, blocks, values),
    errors: {},
  };
}

export function viewSurface(team: Team, user: User, view: View): Surface {
  return {
    ref: { kind: 'view', viewId: view.id },
    blocks: view.body.blocks,
    entered: fieldValues(team, user, view.body.blocks, view.values),
    errors: view.errors,
  };
}

function fileOf(team: Team, user: User, id: string): SharedFile {
  const file = team.files.get(id);
  if (!file || file.deleted) return { id, title: 'This file was deleted.', size: 0 };
  const href = file.mode === 'external' ? file.externalUrl : `/-/page/${user.id}/files/${id}`;
  return { id, title: file.title, size: file.size, ...(href !== undefined && { href }) };
}
