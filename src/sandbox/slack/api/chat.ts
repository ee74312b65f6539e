import { byApp, change, post, remove } from '../delivery/messages.ts';
import { messageJson } from '../state/json/message.ts';
import { omit } from '../state/json/omit.ts';
import type { Json } from '../state/model.ts';
import { isAppMember } from '../state/world.ts';
import { flag, requiredText, text } from './arguments.ts';
import { postingChannel, threadOf, visibleChannel } from './conversation.ts';
import { contentArguments, messageContent } from './message-arguments.ts';
import { type BotCall, type Method, special, tier3, tier4 } from './method.ts';
import { limitPosts } from './rate-limit.ts';
import { SlackRefusal } from './refusal.ts';

const scopes = ['chat:write'];
const postArguments = [...contentArguments, 'channel', 'thread_ts', 'unfurl_links', 'unfurl_media'];

export const chatMethods: Record<string, Method> = {
  'chat.postMessage': {
    token: 'bot',
    scopes,
    args: [...postArguments, 'reply_broadcast'],
    perMinute: special,
    handler: postMessage,
  },
  'chat.postEphemeral': {
    token: 'bot',
    scopes,
    args: [...postArguments, 'user'],
    perMinute: tier4,
    handler: postEphemeral,
  },
  'chat.update': {
    token: 'bot',
    scopes,
    args: [...contentArguments, 'channel', 'ts'],
    perMinute: tier3,
    handler: update,
  },
  'chat.delete': { token: 'bot', scopes, args: ['channel', 'ts'], perMinute: tier3, handler: deleteMessage },
  'chat.getPermalink': {
    token: 'bot',
    scopes: [],
    args: ['channel', 'message_ts'],
    perMinute: special,
    handler: getPermalink,
  },
};

function postMessage({ world, team, installation, args }: BotCall): Json {
  const channel = postingChannel(world, team, installation, requiredText(args, 'channel'));
  const content = messageContent(args);
  const thread = threadOf(channel, text(args, 'thread_ts'));
  limitPosts(world, team, channel);
  const isReply = thread.threadTs !== undefined;
  const broadcast = isReply && flag(args, 'reply_broadcast') === true && { broadcast: true };
  const message = post(world, team, channel, { ...byApp(world, team), ...content, ...thread, ...broadcast });
  return { channel: channel.id, ts: message.ts, message: messageJson(world, team, message) };
}

function postEphemeral({ world, team, installation, args }: BotCall): Json {
  const channel = postingChannel(world, team, installation, requiredText(args, 'channel'), {
    acceptUserId: false,
    acceptPublic: false,
  });
  const ephemeralTo = requiredText(args, 'user');
  if (!channel.members.has(ephemeralTo)) throw new SlackRefusal('user_not_in_channel');
  const content = messageContent(args);
  const thread = threadOf(channel, text(args, 'thread_ts'));
  const message = post(world, team, channel, { ...byApp(world, team), ...content, ...thread, ephemeralTo });
  return { message_ts: message.ts };
}

function update({ world, team, args }: BotCall): Json {
  const { channel, message } = ownMessage(team, args, 'cant_update_message');
  if (channel.archived) throw new SlackRefusal('is_archived');
  if (!isAppMember(team, channel)) throw new SlackRefusal('not_in_channel');
  change(world, team, channel, message, messageContent(args));
  // For an updated message, Slack returns the content without ts and thread.
  const returned = omit(messageJson(world, team, message), 'ts', 'thread_ts', 'parent_user_id');
  return { channel: channel.id, ts: message.ts, text: message.text, message: returned };
}

function deleteMessage({ world, team, args }: BotCall): Json {
  const { channel, message } = ownMessage(team, args, 'cant_delete_message');
  remove(world, team, channel, message);
  return { channel: channel.id, ts: message.ts };
}

/** A message of the app. Ephemeral messages can't be found: only their response_url can change them. */
function ownMessage(team: BotCall['team'], args: BotCall['args'], refusal: string) {
  const channel = visibleChannel(team, requiredText(args, 'channel'));
  const ts = requiredText(args, 'ts');
  const message = channel.messages.find((candidate) => candidate.ts === ts && candidate.ephemeralTo === undefined);
  if (!message) throw new SlackRefusal('message_not_found');
  if (message.userId !== team.appUser?.id) throw new SlackRefusal(refusal);
  return { channel, message };
}

function getPermalink({ world, team, args }: BotCall): Json {
  const channel = visibleChannel(team, requiredText(args, 'channel'));
  const ts = requiredText(args, 'message_ts');
  if (!channel.messages.some((message) => message.ts === ts)) throw new SlackRefusal('message_not_found');
  return { channel: channel.id, permalink: `${world.origin}/archives/${channel.id}/p${ts.replace('.', '')}` };
}
