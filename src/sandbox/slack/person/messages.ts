import { currentChannel } from '../client/destinations.ts';
import { channelTitle } from '../client/names.ts';
import { canRead } from '../client/surface.ts';
import type { Channel, FileRecord, Message, Team, User } from '../state/model.ts';
import { matchOne } from './find.ts';
import { drawMessage } from './screen/draw.ts';
import { createScreenBuilder, screenText } from './screen/screen.ts';

/** A message as a person reads it. */
export interface ReadMessage {
  destination: string;
  from: string;
  text: string;
  onlyForMe: boolean;
  ts: string;
}

/** All messages in the person's conversations that they can read, oldest first. */
export function readableMessages(team: Team, user: User): ReadMessage[] {
  const joined = [...team.channels.values()].filter(({ members }) => members.has(user.id));
  const rows = joined.flatMap((channel) =>
    readable(channel, user).map((message) => ({
      destination: channelTitle(team, channel, user),
      from: team.users.get(message.userId)?.name ?? message.userId,
      text: messageText(team, user, channel, message).split('\n').slice(1).join('\n'),
      onlyForMe: message.ephemeralTo !== undefined,
      ts: message.ts,
    })),
  );
  return rows.sort((candidate, other) => (candidate.ts < other.ts ? -1 : 1));
}

/** The message with this text on the person's screen. Skips ephemeral ones: they have no shortcuts or replies. */
export function findMessage(team: Team, user: User, text: string): { channel: Channel; message: Message } {
  const channel = currentChannel(team, user);
  const persistent = readable(channel, user).filter(({ ephemeralTo }) => ephemeralTo === undefined);
  const message = matchOne(persistent, (candidate) => messageText(team, user, channel, candidate), text);
  return { channel, message };
}

/** The file of this name on this person's screen; if there are several, the last. */
export function findFile(team: Team, user: User, name: string): FileRecord {
  const messages = readable(currentChannel(team, user), user);
  const files = messages.flatMap(({ fileIds }) => fileIds.flatMap((id) => team.files.get(id) ?? []));
  const latest = new Map(files.filter(({ deleted }) => !deleted).map((file) => [file.title, file]));
  return matchOne([...latest.values()], ({ title }) => title, name);
}

function readable(channel: Channel, user: User): Message[] {
  return channel.messages.filter((message) => canRead(channel, message, user));
}

/** The rendered message, with its author in the first line. */
function messageText(team: Team, user: User, channel: Channel, message: Message): string {
  const builder = createScreenBuilder();
  drawMessage(builder, team, user, channel, message, 0);
  return screenText({ lines: builder.lines });
}
