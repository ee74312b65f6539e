import { joinChannel, leaveChannel } from '../channels.ts';
import { runCommand } from '../client/command.ts';
import { say } from '../client/compose.ts';
import type { Channel, Message, Team, User } from '../model.ts';
import { clientOf, type World } from '../world.ts';

/** What somebody types into the box of a conversation: a command, or something to say. */
export async function typeInto(
  world: World,
  team: Team,
  user: User,
  channel: Channel,
  text: string,
  thread: Message | undefined,
): Promise<void> {
  const command = text.startsWith('/') && user.botId === undefined;
  if (!command) {
    say(world, team, user, channel, { text, ...(thread && { threadTs: thread.threadTs ?? thread.ts }) });
    return;
  }
  if (thread) throw new Error('commands cannot be used in threads');
  if (ownCommand(world, team, user, channel, text)) return;
  if (!channel.members.has(user.id)) throw new Error(`${user.name} is not a member of #${channel.name}`);
  if (channel.archived) throw new Error(`#${channel.name} is archived`);
  await runCommand(world, team, user, channel, text);
}

/** Slack's own commands, as far as they matter to an app: bringing it in, and sending it away. */
function ownCommand(world: World, team: Team, user: User, channel: Channel, text: string): boolean {
  const [name, argument = ''] = text.split(/\s+@?/);
  const whom = [...team.users.values()].find(
    (one) => one.handle === argument.toLowerCase() || one.name.toLowerCase() === argument.toLowerCase(),
  );
  clientOf(team, user.id).notices = [];
  switch (name) {
    case '/invite':
      if (!whom || (whom.role === 'app' && !team.installation)) throw new Error(`there is nobody called ${argument}`);
      if (!channel.members.has(user.id)) throw new Error(`${user.name} is not a member of #${channel.name}`);
      joinChannel(world, team, channel, whom, user);
      return true;
    case '/remove':
      if (!whom) throw new Error(`there is nobody called ${argument}`);
      leaveChannel(world, team, channel, whom);
      return true;
    case '/join':
      joinChannel(world, team, channel, user);
      return true;
    case '/leave':
      leaveChannel(world, team, channel, user);
      return true;
    default:
      return false;
  }
}
