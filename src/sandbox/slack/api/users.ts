import { userJson } from '../state/json/user.ts';
import type { Json } from '../state/model.ts';
import { requiredText } from './arguments.ts';
import { type BotCall, type Method, tier4 } from './method.ts';
import { SlackRefusal } from './refusal.ts';

export const userMethods: Record<string, Method> = {
  'users.info': { token: 'bot', scopes: ['users:read'], args: ['user'], perMinute: tier4, handler: info },
};

function info({ world, team, installation, args }: BotCall): Json {
  const user = team.users.get(requiredText(args, 'user'));
  if (!user) throw new SlackRefusal('user_not_found');
  return { user: userJson(world, team, user, { email: installation.scopes.includes('users:read.email') }) };
}
