import { channelJson } from '../state/json/channel.ts';
import type { Json } from '../state/model.ts';
import { requiredText, text, wholeNumber } from './arguments.ts';
import { visibleChannel } from './conversation.ts';
import { type BotCall, type Method, tier3, tier4 } from './method.ts';
import { missingScope, SlackRefusal } from './refusal.ts';

/** Each kind of conversation needs its own scope. */
const scopeOfKind = { public: 'channels:read', private: 'groups:read', im: 'im:read' };

export const conversationMethods: Record<string, Method> = {
  'conversations.info': {
    token: 'bot',
    scopes: Object.values(scopeOfKind),
    args: ['channel'],
    perMinute: tier3,
    handler: info,
  },
  'conversations.members': {
    token: 'bot',
    scopes: Object.values(scopeOfKind),
    args: ['channel', 'limit', 'cursor'],
    perMinute: tier4,
    handler: members,
  },
};

function info({ team, installation, args }: BotCall): Json {
  const channel = visibleChannel(team, requiredText(args, 'channel'));
  const needed = scopeOfKind[channel.kind];
  if (!installation.scopes.includes(needed)) throw missingScope(needed, installation.scopes);
  return { channel: channelJson(team, channel) };
}

/** A page of the members. The cursor is the position of the next page. */
function members({ team, installation, args }: BotCall): Json {
  const channel = visibleChannel(team, requiredText(args, 'channel'));
  const needed = scopeOfKind[channel.kind];
  if (!installation.scopes.includes(needed)) throw missingScope(needed, installation.scopes);
  const start = Number(text(args, 'cursor') ?? 0);
  const limit = wholeNumber(args, 'limit') ?? 100;
  if (!Number.isInteger(start)) throw new SlackRefusal('invalid_cursor');
  if (limit < 1 || limit > 1_000) throw new SlackRefusal('invalid_limit');
  const end = start + limit;
  const next = end < channel.members.size ? String(end) : '';
  return { members: [...channel.members].slice(start, end), response_metadata: { next_cursor: next } };
}
