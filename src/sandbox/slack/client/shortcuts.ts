import { deliver } from '../delivery/deliver.ts';
import { channelPayload, commonPayload } from '../delivery/payloads.ts';
import { newResponseUrl, newTrigger } from '../delivery/triggers-and-urls.ts';
import { messageJson } from '../state/json/message.ts';
import { omit } from '../state/json/omit.ts';
import { actorJson } from '../state/json/user.ts';
import type { Channel, Json, Message, Team, User } from '../state/model.ts';
import { clientOf, type World } from '../state/world.ts';
import { showFailure } from './notices.ts';

/** The shortcuts in this person's menus. People of other organisations have none. */
export function shortcutsFor(world: World, team: Team, user: User, type: 'global' | 'message') {
  if (user.role === 'stranger' || !team.installation?.scopes.includes('commands')) return [];
  return world.app.manifest.features?.shortcuts?.filter((shortcut) => shortcut.type === type) ?? [];
}

export async function runShortcut(
  world: World,
  team: Team,
  user: User,
  shortcut: { name: string; callback_id: string },
  on?: { channel: Channel; message: Message },
): Promise<void> {
  const client = clientOf(team, user.id);
  client.notices = [];
  const kind = on ? 'message_action' : 'shortcut';
  const payload: Json = {
    type: kind,
    ...shortcutContext(world, team, user, on !== undefined),
    action_ts: world.nextTs(),
    callback_id: shortcut.callback_id,
    trigger_id: newTrigger(world, team, user),
    ...(on && {
      channel: channelPayload(team, on.channel.id),
      message_ts: on.message.ts,
      message: messageJson(world, team, on.message),
      // Only posts new messages: the app can't replace a person's message.
      response_url: newResponseUrl(world, team, user, on.channel, 'app'),
    }),
  };
  const { delivery } = await deliver(world, { kind, teamId: team.id, payload });
  showFailure(client, delivery, shortcut.name);
}

/** Shortcuts omit the app's id, and global ones also the person's name. */
function shortcutContext(world: World, team: Team, user: User, onMessage: boolean): Json {
  const common = omit(commonPayload(world, team, user), 'api_app_id');
  return onMessage ? common : { ...common, user: omit(actorJson(user), 'name') };
}
