import type { Json, Team, User } from '../model.ts';
import type { World } from '../world.ts';

/** A user as in users.info; the email address only if the token can see it. */
export function userJson(world: World, team: Team, user: User, { email }: { email: boolean }): Json {
  const { role } = user;
  const bot = role === 'bot' || role === 'app';
  return {
    id: user.id,
    team_id: user.teamId,
    name: user.handle,
    deleted: user.deactivated,
    color: '9f69e7',
    real_name: user.name,
    tz: 'Europe/Stockholm',
    tz_label: 'Central European Time',
    tz_offset: 3600,
    profile: profileJson(world.origin, user, { email: email && !bot }),
    is_admin: role === 'admin' || role === 'owner',
    is_owner: role === 'owner',
    is_primary_owner: role === 'owner' && user === firstOwner(team),
    is_restricted: role === 'guest',
    is_ultra_restricted: false,
    is_bot: bot,
    is_app_user: false,
    updated: 1_700_000_000,
    is_email_confirmed: !bot,
    who_can_share_contact_card: 'EVERYONE',
    ...(role === 'stranger' && { is_stranger: true }),
    ...(isInOrganisation(team, user) && { enterprise_user: enterpriseUserJson(team, user) }),
  };
}

/** Whether the person has a role in an organisation, or their home is another of its workspaces. */
function isInOrganisation(team: Team, { role, teamId, organisationRole }: User): boolean {
  return role !== 'stranger' && (teamId !== team.id || organisationRole !== undefined);
}

function enterpriseUserJson(team: Team, user: User): Json {
  return {
    id: user.id,
    is_admin: user.organisationRole !== undefined,
    is_owner: user.organisationRole === 'owner',
    teams: [...new Set([user.teamId, team.id])],
  };
}

function firstOwner(team: Team): User | undefined {
  return [...team.users.values()].find(({ role }) => role === 'owner');
}

function profileJson(origin: string, user: User, { email }: { email: boolean }): Json {
  return {
    title: '',
    phone: '',
    skype: '',
    real_name: user.name,
    real_name_normalized: user.name,
    display_name: user.handle,
    display_name_normalized: user.handle,
    status_text: '',
    status_emoji: '',
    status_emoji_display_info: [],
    status_expiration: 0,
    status_text_canonical: '',
    avatar_hash: '000000000000',
    ...Object.fromEntries(
      [24, 32, 48, 72, 192, 512].map((size) => [`image_${size}`, `${origin}/icons/user_${size}.png`]),
    ),
    first_name: user.name.split(' ')[0],
    last_name: user.name.split(' ').slice(1).join(' '),
    team: user.teamId,
    ...(user.botId !== undefined && { bot_id: user.botId, always_active: false }),
    ...(email && { email: user.email }),
  };
}

/** The person who acts, as in payloads, which have only these fields. */
export function actorJson(user: User): Json {
  return { id: user.id, username: user.handle, name: user.handle, team_id: user.teamId };
}
