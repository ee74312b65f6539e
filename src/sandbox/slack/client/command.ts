import { checkedContent } from '../api/message-arguments.ts';
import { SlackRefusal } from '../api/refusal.ts';
import { visibilityOf } from '../api/response-url.ts';
import { deliver, markFailed } from '../delivery/deliver.ts';
import { byApp, post } from '../delivery/messages.ts';
import { channelName } from '../delivery/payloads.ts';
import { newResponseUrl, newTrigger } from '../delivery/triggers-and-urls.ts';
import type { Channel, Json, Team, User } from '../state/model.ts';
import { clientOf, type World } from '../state/world.ts';
import { showFailure } from './notices.ts';
import { escapeText } from './text.ts';

/** The app's command of this name, if the person has it. People of other organisations have none. */
function commandOf(world: World, team: Team, user: User, name: string) {
  if (user.role === 'stranger' || !team.installation?.scopes.includes('commands')) return undefined;
  return world.app.manifest.features?.slash_commands?.find(({ command }) => command === name);
}

export async function runCommand(world: World, team: Team, user: User, channel: Channel, typed: string): Promise<void> {
  const [name = '', ...args] = typed.split(' ');
  const client = clientOf(team, user.id);
  client.notices = [];
  const command = commandOf(world, team, user, name);
  if (!command) {
    client.notices.push(`${name} is not a valid command.`);
    return;
  }
  const text = args.join(' ').trim();
  const payload: Json = {
    token: 'verification-token',
    team_id: team.id,
    team_domain: team.domain,
    channel_id: channel.id,
    channel_name: channelName(channel),
    user_id: user.id,
    user_name: user.handle,
    command: name,
    text: command.should_escape === true ? escapeText(team, text) : text,
    api_app_id: world.app.id,
    is_enterprise_install: 'false',
    response_url: newResponseUrl(world, team, user, channel, 'commands'),
    trigger_id: newTrigger(world, team, user),
  };
  const { delivery, answer } = await deliver(world, { kind: 'slash_command', teamId: team.id, payload, command: name });
  if (delivery.outcome === 'acked' && answer !== undefined) {
    const problem = showAnswer(world, team, user, channel, answer);
    if (problem !== undefined) markFailed(delivery, problem);
  }
  showFailure(client, delivery, name);
}

/** Shows the content of the bot's acknowledgement; returns the problem if the content is invalid. */
function showAnswer(world: World, team: Team, user: User, channel: Channel, answer: Json | string): string | undefined {
  const body = typeof answer === 'string' ? { text: answer } : answer;
  if (Object.keys(body).length === 0) return undefined;
  try {
    const { response_type: _, ...content } = body as Json;
    post(world, team, channel, { ...byApp(world, team), ...checkedContent(content), ...visibilityOf(body, user.id) });
    return undefined;
  } catch (error) {
    if (error instanceof SlackRefusal) return JSON.stringify({ error: error.code, ...error.extra });
    throw error;
  }
}
