import type { Json, Message, Team, User } from '../model.ts';
import type { World } from '../world.ts';
import { embeddedFileJson } from './file.ts';

/** A message as the app gets it. */
export function messageJson(world: World, team: Team, message: Message): Json {
  const author = team.users.get(message.userId);
  const parent = message.threadTs === message.ts ? undefined : parentOf(team, message);
  return {
    ...(message.clientMessageId !== undefined && { client_msg_id: message.clientMessageId }),
    type: 'message',
    user: message.userId,
    ts: message.ts,
    text: message.text,
    team: message.teamId,
    ...(message.botId !== undefined && { bot_id: message.botId }),
    ...(message.appId !== undefined && { app_id: message.appId }),
    ...(author?.botId !== undefined && { bot_profile: botProfileJson(world, author) }),
    ...(message.blocks && { blocks: message.blocks }),
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    ...(parent && { parent_user_id: parent.userId }),
    ...(message.edited && { edited: message.edited }),
    ...filesJson(world, team, message),
    ...(message.forwarded && { attachments: message.forwarded.map((other) => forwardedJson(world, team, other)) }),
  };
}

/** A forwarded message. Its files are not among those of the message that forwards it. */
function forwardedJson(world: World, team: Team, message: Message): Json {
  const author = team.users.get(message.userId);
  const files = message.fileIds.flatMap((id) => team.files.get(id) ?? []);
  return {
    is_msg_unfurl: true,
    is_share: true,
    ts: message.ts,
    author_id: message.userId,
    author_name: author?.name ?? '',
    text: message.text,
    fallback: message.text,
    ...(files.length > 0 && { files: files.map((file) => embeddedFileJson(world, team, file)) }),
  };
}

function filesJson(world: World, team: Team, message: Message): Json {
  if (message.fileIds.length === 0) return {};
  const files = message.fileIds.flatMap((id) => team.files.get(id) ?? []);
  return {
    files: files.map((file) => embeddedFileJson(world, team, file)),
    upload: false,
    display_as_bot: false,
  };
}

function parentOf(team: Team, message: Message): Message | undefined {
  if (message.threadTs === undefined) return undefined;
  for (const channel of team.channels.values()) {
    if (!channel.messages.includes(message)) continue;
    return channel.messages.find(({ ts }) => ts === message.threadTs);
  }
  return undefined;
}

function botProfileJson(world: World, user: User): Json {
  return {
    id: user.botId,
    deleted: false,
    name: user.name,
    updated: 1_700_000_000,
    app_id: user.role === 'app' ? world.app.id : 'A0OTHERAPP00',
    icons: botIcons(world),
    team_id: user.teamId,
  };
}

function botIcons({ origin }: World): Json {
  return Object.fromEntries([36, 48, 72].map((size) => [`image_${size}`, `${origin}/icons/bot_${size}.png`]));
}
