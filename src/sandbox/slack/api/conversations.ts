import { channelJson } from '../state/json/channel.ts';
import type { Json } from '../state/model.ts';
import { requiredText } from './arguments.ts';
import { visibleChannel } from './conversation.ts';
import { type BotCall, type Method, tier3 } from './method.ts';
import { missingScope } from './refusal.ts';

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
};

function info({ team, installation, args }: BotCall): Json {
  const channel = visibleChannel(team, requiredText(args, 'channel'));
  const needed = scopeOfKind[channel.kind];
  if (!installation.scopes.includes(needed)) throw missingScope(needed, installation.scopes);
  return { channel: channelJson(team, channel) };
}
