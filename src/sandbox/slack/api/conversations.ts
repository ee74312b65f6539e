import { joinChannel, leaveChannel } from '../delivery/channels.ts';
import { directChannelOfApp } from '../state/channels.ts';
import { channelJson } from '../state/json/channel.ts';
import type { Channel, Json, Team } from '../state/model.ts';
import { isAppMember } from '../state/world.ts';
import { flag, page, requiredText, text } from './arguments.ts';
import { visibleChannel } from './conversation.ts';
import { type BotCall, type Method, tier2, tier3, tier4 } from './method.ts';
import { SlackRefusal } from './refusal.ts';

const readScopes = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];

export const conversationMethods: Record<string, Method> = {
  'conversations.info': {
    token: 'bot',
    scopes: readScopes,
    args: ['channel', 'include_locale', 'include_num_members'],
    perMinute: tier3,
    handler: info,
  },
  'conversations.list': {
    token: 'bot',
    scopes: readScopes,
    args: ['cursor', 'limit', 'types', 'exclude_archived'],
    perMinute: tier2,
    handler: list,
  },
  'conversations.members': {
    token: 'bot',
    scopes: readScopes,
    args: ['channel', 'cursor', 'limit'],
    perMinute: tier4,
    handler: members,
  },
  'conversations.open': {
    token: 'bot',
    scopes: ['im:write', 'mpim:write'],
    args: ['users', 'channel', 'return_im', 'prevent_creation'],
    perMinute: tier3,
    handler: open,
  },
  'conversations.join': {
    token: 'bot',
    scopes: ['channels:join'],
    args: ['channel'],
    perMinute: tier3,
    handler: join,
  },
  'conversations.leave': {
    token: 'bot',
    scopes: ['channels:manage', 'groups:write'],
    args: ['channel'],
    perMinute: tier3,
    handler: leave,
  },
};

const scopeOfKind: Record<Channel['kind'], string> = {
  public: 'channels:read',
  private: 'groups:read',
  im: 'im:read',
};

/** Each kind of conversation needs its own scope. */
function requireScope({ installation }: BotCall, channel: Channel): void {
  const needed = scopeOfKind[channel.kind];
  if (!installation.scopes.includes(needed)) {
    throw new SlackRefusal('missing_scope', { needed, provided: installation.scopes.join(',') });
  }
}

function info(call: BotCall): Json {
  const { team, args } = call;
  const channel = visibleChannel(team, requiredText(args, 'channel'));
  requireScope(call, channel);
  return { channel: channelJson(team, channel, { members: flag(args, 'include_num_members') === true }) };
}

const kindOfType: Record<string, Channel['kind'] | undefined> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
  mpim: undefined,
};

function list(call: BotCall): Json {
  const { team, installation, args } = call;
  const types = (text(args, 'types') ?? 'public_channel').split(',');
  if (types.some((type) => !Object.hasOwn(kindOfType, type))) throw new SlackRefusal('invalid_types');
  const kinds = types.flatMap((type) => kindOfType[type] ?? []);
  for (const kind of kinds) {
    const needed = scopeOfKind[kind];
    if (!installation.scopes.includes(needed)) {
      throw new SlackRefusal('missing_scope', { needed, provided: installation.scopes.join(',') });
    }
  }
  const channels = visibleChannels(team)
    .filter(({ kind }) => kinds.includes(kind))
    .filter(({ archived }) => !archived || flag(args, 'exclude_archived') !== true);
  const { items, next_cursor } = page(args, channels);
  return {
    channels: items.map((channel) => channelJson(team, channel, { members: true, listed: true })),
    response_metadata: { next_cursor },
  };
}

function visibleChannels(team: Team): Channel[] {
  return [...team.channels.values()].filter((channel) => channel.kind === 'public' || isAppMember(team, channel));
}

function members(call: BotCall): Json {
  const { team, args } = call;
  const channel = visibleChannel(team, requiredText(args, 'channel'));
  requireScope(call, channel);
  const { items, next_cursor } = page(args, [...channel.members]);
  return { members: items, response_metadata: { next_cursor } };
}

function open({ world, team, args }: BotCall): Json {
  const users = requiredText(args, 'users').split(',');
  const user = users.length === 1 ? team.users.get(users[0] ?? '') : undefined;
  if (!user || user.role === 'stranger') throw new SlackRefusal('user_not_found');
  if (user.role === 'bot' || user.role === 'app') throw new SlackRefusal('cannot_dm_bot');
  if (user.deactivated) throw new SlackRefusal('user_disabled');
  const channel = directChannelOfApp(world, team, user);
  const isFull = flag(args, 'return_im') === true;
  return {
    no_op: false,
    already_open: false,
    channel: isFull ? channelJson(team, channel) : { id: channel.id },
  };
}

function join({ world, team, args }: BotCall): Json {
  const channel = visibleChannel(team, requiredText(args, 'channel'));
  if (channel.kind !== 'public') throw new SlackRefusal('method_not_supported_for_channel_type');
  if (channel.archived) throw new SlackRefusal('is_archived');
  if (team.appUser) joinChannel(world, team, channel, team.appUser);
  return { channel: channelJson(team, channel) };
}

function leave({ world, team, args }: BotCall): Json {
  const channel = visibleChannel(team, requiredText(args, 'channel'));
  if (channel.kind === 'im') throw new SlackRefusal('method_not_supported_for_channel_type');
  if (!isAppMember(team, channel)) return { not_in_channel: true };
  if (team.appUser) leaveChannel(world, team, channel, team.appUser);
  return {};
}
