import type { Channel, Json, Team } from '../model.ts';
import { isAppMember } from '../world.ts';

/** A channel as in conversations.info. */
export function channelJson(team: Team, channel: Channel): Json {
  const common = { id: channel.id, created: channel.created, is_archived: channel.archived, is_org_shared: false };
  if (channel.kind === 'im') {
    const other = [...channel.members].find((id) => id !== team.appUser?.id);
    return {
      ...common,
      is_im: true,
      user: other,
      is_open: true,
      priority: 0,
      last_read: '0000000000.000000',
      unread_count: 0,
      unread_count_display: 0,
      context_team_id: team.id,
      updated: channel.created * 1000,
    };
  }
  const { shared } = channel;
  return {
    ...common,
    name: channel.name,
    name_normalized: channel.name,
    // Only private channels created before March 2021 are groups.
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: channel.kind === 'private',
    is_general: channel.name === 'general',
    unlinked: 0,
    is_shared: shared,
    is_ext_shared: shared,
    is_pending_ext_shared: channel.invited,
    pending_shared: [],
    pending_connected_team_ids: [],
    creator: channel.creator,
    context_team_id: team.id,
    updated: channel.created * 1000,
    shared_team_ids: teamIds(team, channel),
    ...(shared && {
      connected_team_ids: teamIds(team, channel).filter((id) => id !== team.id),
      internal_team_ids: [team.id],
      conversation_host_id: team.id,
    }),
    is_member: isAppMember(team, channel),
    last_read: '0000000000.000000',
    topic: { value: '', creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    previous_names: [],
  };
}

/** The workspaces that share the channel. */
function teamIds(team: Team, channel: Channel): string[] {
  const ids = new Set([team.id]);
  for (const id of channel.members) {
    const user = team.users.get(id);
    if (user?.role === 'stranger') ids.add(user.teamId);
  }
  return [...ids];
}
