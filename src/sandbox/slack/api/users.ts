import { channelJson } from '../state/json/channel.ts';
import { userJson } from '../state/json/user.ts';
import type { Json } from '../state/model.ts';
import { isAppMember } from '../state/world.ts';
import { flag, requiredText, wholeNumber } from './arguments.ts';
import { type BotCall, type Method, tier3, tier4 } from './method.ts';
import { SlackRefusal } from './refusal.ts';

export const userMethods: Record<string, Method> = {
  'users.info': { token: 'bot', scopes: ['users:read'], args: ['user'], perMinute: tier4, handler: info },
  'users.conversations': {
    token: 'bot',
    scopes: ['groups:read'],
    args: ['user', 'types', 'exclude_archived', 'limit'],
    perMinute: tier3,
    handler: conversations,
  },
};

/** The private channels that the app shares with a person. */
function conversations({ team, args }: BotCall): Json {
  const user = requiredText(args, 'user');
  if (!team.users.has(user)) throw new SlackRefusal('user_not_found');
  if (requiredText(args, 'types') !== 'private_channel') throw new SlackRefusal('invalid_types');
  const limit = wholeNumber(args, 'limit') ?? 100;
  if (limit < 1 || limit > 999) throw new SlackRefusal('invalid_limit');
  const shared = [...team.channels.values()]
    .filter((channel) => channel.kind === 'private' && channel.members.has(user) && isAppMember(team, channel))
    .filter(({ archived }) => !archived || flag(args, 'exclude_archived') !== true);
  const channels = shared.slice(0, limit).map((channel) => {
    const { is_member: _, ...json } = channelJson(team, channel);
    return json;
  });
  return { channels, response_metadata: { next_cursor: shared.length > limit ? 'more' : '' } };
}

function info({ world, team, installation, args }: BotCall): Json {
  const user = team.users.get(requiredText(args, 'user'));
  if (!user) throw new SlackRefusal('user_not_found');
  return { user: userJson(world, team, user, { email: installation.scopes.includes('users:read.email') }) };
}
