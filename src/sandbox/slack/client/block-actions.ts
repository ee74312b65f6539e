import { echoed } from '../blocks.ts';
import { deliver } from '../delivery/deliver.ts';
import { channelPayload, commonPayload } from '../delivery/payloads.ts';
import { newResponseUrl, newTrigger } from '../delivery/tickets.ts';
import { messageJson } from '../json/message.ts';
import { omit } from '../json/omit.ts';
import { viewJson } from '../json/view.ts';
import type { Json, Team, User } from '../model.ts';
import { clientOf, type World } from '../world.ts';
import { complain } from './notices.ts';
import type { Found, Surface } from './surface.ts';
import { stateJson } from './values.ts';

/** Sends the bot an action on an element. `value` holds the element's own fields. */
export async function sendBlockActions(world: World, team: Team, user: User, found: Found, value: Json): Promise<void> {
  const { surface, block, element } = found;
  const viewId = surface.kind === 'view' && surface.view.type === 'modal' ? surface.view.id : undefined;
  const payload: Json = {
    type: 'block_actions',
    ...commonPayload(world, team, user),
    trigger_id: newTrigger(world, team, user, viewId),
    ...surroundings(world, team, user, surface),
    // Slack omits the lists of options.
    actions: [
      {
        ...echoed(omit(element, 'options', 'option_groups', 'accessibility_label')),
        block_id: block.block_id,
        ...echoed(value),
        action_ts: world.nextTs(),
      },
    ],
  };
  const { delivery } = await deliver(world, { kind: 'block_actions', teamId: team.id, payload });
  complain(clientOf(team, user.id), delivery, 'This app');
}

export function surroundings(world: World, team: Team, user: User, surface: Surface): Json {
  const state = stateJson(world, team, surface.values);
  if (surface.kind === 'view') {
    const { view } = surface;
    return {
      container: { type: 'view', view_id: view.id },
      view: { ...viewJson(world, team, view), state },
    };
  }
  const { channel, message } = surface;
  const ephemeral = message.ephemeralTo !== undefined;
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: ephemeral,
      ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    },
    channel: channelPayload(team, channel.id),
    // Slack doesn't store ephemeral messages, so it can't include them.
    ...(!ephemeral && { message: messageJson(world, team, message) }),
    state,
    response_url: newResponseUrl(world, team, user, channel, 'actions', message),
  };
}
