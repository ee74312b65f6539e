import { joinChannel } from '../state/channels.ts';
import type { Channel, Message, Team, User } from '../state/model.ts';
import { clientOf, type World } from '../state/world.ts';
import { runCommand } from './command.ts';
import { postAsUser } from './post.ts';

/** Handles what a person types in a conversation: a command or a message. */
export async function typeInto(
  world: World,
  team: Team,
  user: User,
  channel: Channel,
  text: string,
  thread: Message | undefined,
): Promise<void> {
  const isCommand = text.startsWith('/') && user.botId === undefined;
  if (!isCommand) {
    postAsUser(world, team, user, channel, { text, ...(thread && { threadTs: thread.threadTs ?? thread.ts }) });
    return;
  }
  if (thread) throw new Error('commands cannot be used in threads');
  if (runBuiltInCommand(team, user, channel, text)) return;
  if (!channel.members.has(user.id)) throw new Error(`${user.name} is not a member of #${channel.name}`);
  if (channel.archived) throw new Error(`#${channel.name} is archived`);
  await runCommand(world, team, user, channel, text);
}

/** Slack's own commands that add members to channels and remove them; returns false for any other command. */
function runBuiltInCommand(team: Team, user: User, channel: Channel, text: string): boolean {
  const [name, argument = ''] = text.split(/\s+@?/);
  const member = [...team.users.values()].find(
    (candidate) =>
      candidate.handle === argument.toLowerCase() || candidate.name.toLowerCase() === argument.toLowerCase(),
  );
  clientOf(team, user.id).notices = [];
  switch (name) {
    case '/invite':
      if (!member || (member.role === 'app' && !team.installation))
        throw new Error(`no one here is called ${argument}`);
      if (!channel.members.has(user.id)) throw new Error(`${user.name} is not a member of #${channel.name}`);
      joinChannel(channel, member);
      return true;
    case '/remove':
      if (!member) throw new Error(`no one here is called ${argument}`);
      channel.members.delete(member.id);
      return true;
    case '/join':
      joinChannel(channel, user);
      return true;
    case '/leave':
      channel.members.delete(user.id);
      return true;
    default:
      return false;
  }
}
