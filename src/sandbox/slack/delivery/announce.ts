import { newId } from '../state/ids.ts';
import { viewJson } from '../state/json/view.ts';
import type { Channel, Installation, Json, Team, User } from '../state/model.ts';
import type { World } from '../state/world.ts';
import type { BotRequest } from './bot-request.ts';
import { deliver } from './deliver.ts';
import { installationForChannelEvent, installationForEvent } from './subscription.ts';

/** The workspace and channel of an event. */
interface EventContext {
  /** The workspace of the person who caused it; in a shared channel it can differ from the app's. */
  sourceTeamId?: string;
  channel?: Channel;
}

/** Sends an event to the app in the background, and retries it if that fails. */
export function announce(
  world: World,
  team: Team,
  installation: Installation,
  event: Json & { type: string },
  { sourceTeamId = team.id, channel }: EventContext = {},
): void {
  const payload: Json = {
    token: 'verification-token',
    team_id: sourceTeamId,
    context_team_id: team.id,
    context_enterprise_id: null,
    api_app_id: world.app.id,
    event,
    type: 'event_callback',
    event_id: newId('Ev'),
    event_time: Math.floor(world.clock() / 1000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: team.id,
        user_id: installation.botUserId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: channel?.shared ?? false,
    event_context: `1-${event.type}-${team.id}${channel ? `-${channel.id}` : ''}`,
  };
  attempt(world, { kind: 'event', event: event.type, teamId: team.id, payload }, 0, undefined);
}

function attempt(world: World, botRequest: BotRequest, retry: number, retryReason: string | undefined): void {
  void deliver(world, botRequest, { retry, retryReason }).then(({ delivery, noRetry }) => {
    const delay = world.behaviour.retryDelaysMs[retry];
    if (delivery.outcome === 'acked' || noRetry || delay === undefined || world.closed.signal.aborted) return;
    const reason = delivery.problem?.split(':')[0];
    const timer = setTimeout(() => {
      world.timers.delete(timer);
      attempt(world, botRequest, retry + 1, reason);
    }, delay);
    world.timers.add(timer);
  });
}

export function announceHome(world: World, team: Team, user: User, channel: Channel, tab: 'home' | 'messages'): void {
  const installation = installationForEvent(world, team, 'app_home_opened');
  if (!installation) return;
  const view = team.views.get(team.homes.get(user.id) ?? '');
  announce(world, team, installation, {
    type: 'app_home_opened',
    user: user.id,
    channel: channel.id,
    tab,
    event_ts: world.nextTs(),
    ...(tab === 'home' && view && { view: viewJson(world, team, view) }),
  });
}

export function announceChannelId(world: World, team: Team, channel: Channel, before: string): void {
  const name = 'channel_id_changed';
  const installation = installationForChannelEvent(world, team, channel, name);
  if (!installation) return;
  const event = { type: name, old_channel_id: before, new_channel_id: channel.id, event_ts: world.nextTs() };
  announce(world, team, installation, event, { channel });
}
