import { deliver } from '../delivery/deliver.ts';
import { channelPayload, commonPayload } from '../delivery/payloads.ts';
import { newResponseUrl, newTrigger } from '../delivery/triggers-and-urls.ts';
import { escapePlainText } from '../state/blocks.ts';
import { messageJson } from '../state/json/message.ts';
import { omit } from '../state/json/omit.ts';
import { stateJson, viewJson } from '../state/json/view.ts';
import type { Json, Team, User } from '../state/model.ts';
import { clientOf, type World } from '../state/world.ts';
import { showFailure } from './notices.ts';
import type { ResolvedElement, Surface } from './surface.ts';

/** Sends the bot an action on an element. `value` holds the element's own fields. */
export async function sendBlockActions(
  world: World,
  team: Team,
  user: User,
  found: ResolvedElement,
  value: Json,
): Promise<void> {
  const { surface, block, element } = found;
  const viewId = surface.kind === 'view' && surface.view.type === 'modal' ? surface.view.id : undefined;
  const payload: Json = {
    type: 'block_actions',
    ...commonPayload(world, team, user),
    trigger_id: newTrigger(world, team, user, viewId),
    ...surfacePayload(world, team, user, surface),
    // Slack omits the lists of options and the accessibility label.
    actions: [
      {
        ...escapePlainText(omit(element, 'options', 'option_groups', 'accessibility_label')),
        block_id: block.block_id,
        ...escapePlainText(value),
        action_ts: world.nextTs(),
      },
    ],
  };
  const { delivery } = await deliver(world, { kind: 'block_actions', teamId: team.id, payload });
  showFailure(clientOf(team, user.id), delivery, 'This app');
}

export function surfacePayload(world: World, team: Team, user: User, surface: Surface): Json {
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
