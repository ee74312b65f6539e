import { channelJson } from '../state/json/channel.ts';
import { botIcons } from '../state/json/message.ts';
import { omit } from '../state/json/omit.ts';
import { teamJson } from '../state/json/team.ts';
import { userJson } from '../state/json/user.ts';
import type { Installation, Json } from '../state/model.ts';
import { isAppMember } from '../state/world.ts';
import { flag, page, requiredText, text } from './arguments.ts';
import { type BotCall, type Method, tier2, tier3, tier4 } from './method.ts';
import { SlackRefusal } from './refusal.ts';

export const userMethods: Record<string, Method> = {
  'users.info': {
    token: 'bot',
    scopes: ['users:read'],
    args: ['user', 'include_locale'],
    perMinute: tier4,
    handler: info,
  },
  'users.list': {
    token: 'bot',
    scopes: ['users:read'],
    args: ['cursor', 'limit', 'include_locale'],
    perMinute: tier2,
    handler: list,
  },
  'users.conversations': {
    token: 'bot',
    scopes: ['channels:read', 'groups:read', 'im:read', 'mpim:read'],
    args: ['cursor', 'limit', 'types', 'exclude_archived', 'user'],
    perMinute: tier3,
    handler: conversations,
  },
  'bots.info': { token: 'bot', scopes: ['users:read'], args: ['bot'], perMinute: tier3, handler: botInfo },
  'team.info': {
    token: 'bot',
    scopes: ['team:read'],
    args: ['team', 'domain'],
    perMinute: tier3,
    handler: ({ world, team }) => ({ team: teamJson(world, team) }),
  },
};

function emailAccess(installation: Installation): { email: boolean } {
  return { email: installation.scopes.includes('users:read.email') };
}

function info({ world, team, installation, args }: BotCall): Json {
  const user = team.users.get(requiredText(args, 'user'));
  if (!user) throw new SlackRefusal('user_not_found');
  return { user: userJson(world, team, user, emailAccess(installation)) };
}

function list({ world, team, installation, args }: BotCall): Json {
  // People of other organisations appear in their channels, not in the directory.
  const members = [...team.users.values()].filter(({ role }) => role !== 'stranger');
  const { items, next_cursor } = page(args, members);
  return {
    members: items.map((user) => userJson(world, team, user, emailAccess(installation))),
    cache_ts: Math.floor(world.clock() / 1000),
    response_metadata: { next_cursor },
  };
}

/** The app's own conversations; another user's are refused. */
function conversations({ team, args }: BotCall): Json {
  const user = text(args, 'user');
  if (user !== undefined && user !== team.appUser?.id) throw new SlackRefusal('method_not_supported_for_channel_type');
  const types = (text(args, 'types') ?? 'public_channel').split(',');
  const channels = [...team.channels.values()]
    .filter((channel) => isAppMember(team, channel))
    .filter(({ kind }) => types.includes(kind === 'im' ? 'im' : `${kind}_channel`))
    .filter(({ archived }) => !archived || flag(args, 'exclude_archived') !== true);
  const { items, next_cursor } = page(args, channels);
  return {
    // Lists only channels the app is in, so `is_member` is omitted.
    channels: items.map((channel) => omit(channelJson(team, channel, { listed: true }), 'is_member')),
    response_metadata: { next_cursor },
  };
}

function botInfo({ world, team, args }: BotCall): Json {
  const bot = [...team.users.values()].find(({ botId }) => botId === text(args, 'bot'));
  if (!bot) throw new SlackRefusal('bot_not_found');
  return {
    bot: {
      id: bot.botId,
      deleted: bot.deactivated,
      name: bot.name,
      updated: 1_700_000_000,
      ...(bot.role === 'app' && { app_id: world.app.id }),
      user_id: bot.id,
      icons: botIcons(world),
    },
  };
}
