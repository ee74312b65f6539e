import type { Channel, Message, Team } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { announceChange, announceDeletion, announceMessage, sharedFiles } from './announce-message.ts';

/** Posts a message, and notifies the app if it is subscribed. */
export function post(world: World, team: Team, channel: Channel, message: Omit<Message, 'ts'>): Message {
  const posted: Message = { ...message, ts: world.nextTs() };
  channel.messages.push(posted);
  if (posted.threadTs !== undefined) markThread(channel, posted.threadTs);
  for (const id of sharedFiles(world, posted)) {
    const { threadTs } = posted;
    team.files
      .get(id)
      ?.shares.push({ channelId: channel.id, ts: posted.ts, ...(threadTs !== undefined && { threadTs }) });
  }
  // Slack sends no events for ephemeral messages.
  if (posted.ephemeralTo === undefined) announceMessage(world, team, channel, posted);
  return posted;
}

/** Gives the first message of a thread the thread's ts, as Slack does once there is a reply. */
function markThread(channel: Channel, threadTs: string): void {
  const parent = channel.messages.find(({ ts }) => ts === threadTs);
  if (parent) parent.threadTs = threadTs;
}

/** The author fields of the app's own messages, and an empty list of files. */
export function byApp(world: World, team: Team): Pick<Message, 'userId' | 'teamId' | 'botId' | 'appId' | 'fileIds'> {
  const user = team.appUser;
  if (user?.botId === undefined) throw new Error(`the app was never installed in ${team.name}`);
  return { userId: user.id, teamId: team.id, botId: user.botId, appId: world.app.id, fileIds: [] };
}

/** Updates a message. Fields that `content` omits stay unchanged. */
export function change(
  world: World,
  team: Team,
  channel: Channel,
  message: Message,
  content: Partial<Pick<Message, 'text' | 'blocks'>>,
): void {
  const before = structuredClone(message);
  Object.assign(message, content);
  if (message.blocks?.length === 0) delete message.blocks;
  message.edited = { user: message.userId, ts: `${world.nextTs().split('.')[0]}.000000` };
  if (message.ephemeralTo === undefined) announceChange(world, team, channel, message, before);
}

export function remove(world: World, team: Team, channel: Channel, message: Message): void {
  channel.messages = channel.messages.filter((other) => other !== message);
  if (message.ephemeralTo === undefined) announceDeletion(world, team, channel, message);
}
