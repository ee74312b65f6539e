import { messageJson } from '../state/json/message.ts';
import type { Channel, Json, Message, Team } from '../state/model.ts';
import { isAppMember, type World } from '../state/world.ts';
import { announce } from './announce.ts';
import { installationForChannelEvent, installationForEvent } from './subscription.ts';

export function announceMessage(world: World, team: Team, channel: Channel, message: Message): void {
  const json = messageJson(world, team, message);
  const subtype =
    message.fileIds.length > 0 ? 'file_share' : message.broadcast === true ? 'thread_broadcast' : undefined;
  const event = { ...json, type: 'message', ...(subtype !== undefined && { subtype }) };
  announceMessageEvent(world, team, channel, event, message.ts, message.teamId);
  for (const id of sharedFiles(world, message)) announceFile(world, team, channel, message, id);
}

/** The files that a message shares: its own, and possibly those that it forwards. */
export function sharedFiles({ behaviour }: World, { fileIds, forwarded = [] }: Message): string[] {
  return [...new Set([...fileIds, ...(behaviour.forwardShares ? forwarded.flatMap((other) => other.fileIds) : [])])];
}

function announceFile(world: World, team: Team, channel: Channel, message: Message, fileId: string): void {
  const installation = installationForChannelEvent(world, team, channel, 'file_shared');
  if (!installation) return;
  const event = {
    type: 'file_shared',
    channel_id: channel.id,
    file_id: fileId,
    user_id: message.userId,
    file: { id: fileId },
    event_ts: world.nextTs(),
  };
  announce(world, team, installation, event, { sourceTeamId: message.teamId, channel });
}

/** The app hears of files in its conversations. */
export function announceFileDeletion(world: World, team: Team, fileId: string): void {
  const installation = installationForEvent(world, team, 'file_deleted');
  const channel = [...team.channels.values()].find((one) => {
    const isIn = one.messages.some(({ fileIds }) => fileIds.includes(fileId));
    return isIn && isAppMember(team, one);
  });
  if (installation === undefined || channel === undefined) return;
  const event = { type: 'file_deleted', file_id: fileId, event_ts: world.nextTs() };
  announce(world, team, installation, event);
}

export function announceChange(world: World, team: Team, channel: Channel, message: Message, before: Message): void {
  const event = {
    type: 'message',
    subtype: 'message_changed',
    message: messageJson(world, team, message),
    previous_message: messageJson(world, team, before),
    hidden: true,
  };
  announceMessageEvent(world, team, channel, event, world.nextTs(), message.teamId);
}

export function announceDeletion(world: World, team: Team, channel: Channel, message: Message): void {
  const event = {
    type: 'message',
    subtype: 'message_deleted',
    previous_message: messageJson(world, team, message),
    hidden: true,
    deleted_ts: message.ts,
  };
  announceMessageEvent(world, team, channel, event, world.nextTs(), message.teamId);
}

function announceMessageEvent(
  world: World,
  team: Team,
  channel: Channel,
  event: Json & { type: string },
  ts: string,
  sourceTeamId: string,
): void {
  const installation =
    channel.kind === 'im' ? installationForChannelEvent(world, team, channel, 'message.im') : undefined;
  if (!installation) return;
  const messageEvent = { ...event, ts, channel: channel.id, event_ts: ts, channel_type: 'im' };
  announce(world, team, installation, messageEvent, { sourceTeamId, channel });
}
