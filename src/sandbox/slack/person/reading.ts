import { canRead } from '../client/surface.ts';
import type { Channel, FileRecord, Message, Team, User } from '../model.ts';
import { channelTitle, drawMessage } from '../screen/draw.ts';
import { createSheet, screenText } from '../screen/screen.ts';
import { currentChannel } from './destinations.ts';
import { matchOne } from './find.ts';

/** A message as a person reads it. */
export interface ReadMessage {
  destination: string;
  from: string;
  text: string;
  onlyForMe: boolean;
  ts: string;
}

/** All messages in the person's conversations that they can read, oldest first. */
export function readAll(team: Team, user: User): ReadMessage[] {
  const own = [...team.channels.values()].filter(({ members }) => members.has(user.id));
  const rows = own.flatMap((channel) =>
    readable(channel, user).map((message) => ({
      destination: channelTitle(team, channel, user),
      from: team.users.get(message.userId)?.name ?? message.userId,
      text: wordsOf(team, user, channel, message).split('\n').slice(1).join('\n'),
      onlyForMe: message.ephemeralTo !== undefined,
      ts: message.ts,
    })),
  );
  return rows.sort((one, other) => (one.ts < other.ts ? -1 : 1));
}

/** The message on this person's screen with these words. Ephemeral messages have no replies and no shortcuts. */
export function messageWith(team: Team, user: User, words: string): { channel: Channel; message: Message } {
  const channel = currentChannel(team, user);
  const lasting = readable(channel, user).filter(({ ephemeralTo }) => ephemeralTo === undefined);
  const message = matchOne(lasting, (one) => wordsOf(team, user, channel, one), words);
  return { channel, message };
}

/** The file of this name on this person's screen; if there are several, the last. */
export function fileNamed(team: Team, user: User, name: string): FileRecord {
  const messages = readable(currentChannel(team, user), user);
  const files = messages.flatMap(({ fileIds }) => fileIds.flatMap((id) => team.files.get(id) ?? []));
  const latest = new Map(files.filter(({ deleted }) => !deleted).map((file) => [file.title, file]));
  return matchOne([...latest.values()], ({ title }) => title, name);
}

function readable(channel: Channel, user: User): Message[] {
  return channel.messages.filter((message) => canRead(channel, message, user));
}

/** The rendered message, with its author in the first line. */
function wordsOf(team: Team, user: User, channel: Channel, message: Message): string {
  const sheet = createSheet();
  drawMessage(sheet, team, user, channel, message, 0);
  return screenText({ lines: sheet.lines });
}
