import { byApp, post } from '../delivery/messages.ts';
import { fileVisibleToApp, mimeTypeOf } from '../state/files.ts';
import { newId, newSecret } from '../state/ids.ts';
import { fileInfoJson } from '../state/json/file.ts';
import type { Channel, FileRecord, Json, Team } from '../state/model.ts';
import type { Ticket, World } from '../state/world.ts';
import { requiredText, structure, text, wholeNumber } from './arguments.ts';
import { postingChannel, threadOf } from './conversation.ts';
import { messageContent } from './message-arguments.ts';
import { type BotCall, type Method, tier3, tier4 } from './method.ts';
import { invalidArguments, SlackRefusal } from './refusal.ts';
import { shareLater } from './share.ts';

export const fileMethods: Record<string, Method> = {
  'files.info': {
    token: 'bot',
    scopes: ['files:read'],
    args: ['file'],
    perMinute: tier4,
    handler: info,
  },
  'files.getUploadURLExternal': {
    token: 'bot',
    scopes: ['files:write'],
    args: ['filename', 'length'],
    perMinute: tier4,
    handler: getUploadUrl,
  },
  'files.completeUploadExternal': {
    token: 'bot',
    scopes: ['files:write'],
    args: ['files', 'channel_id', 'thread_ts', 'blocks'],
    perMinute: tier4,
    handler: complete,
  },
  'files.delete': { token: 'bot', scopes: ['files:write'], args: ['file'], perMinute: tier3, handler: deleteFile },
};

function info({ world, team, args }: BotCall): Json {
  const file = fileVisibleToApp(team, requiredText(args, 'file'));
  if (!file) throw new SlackRefusal('file_not_found');
  if (file.deleted) throw new SlackRefusal('file_deleted');
  if (file.refusal !== undefined) throw new SlackRefusal(file.refusal);
  if (file.userId === team.appUser?.id && file.reads < world.behaviour.uploadLag) {
    file.reads++;
    throw new SlackRefusal('file_not_found');
  }
  const json = {
    ...fileInfoJson(world, team, file, { shares: file.reads >= world.behaviour.sharesLag }),
    ...(file.reads < world.behaviour.scanLag && { mimetype: '', filetype: '', pretty_type: '' }),
  };
  file.reads++;
  // Slack processes files at any time. Here it does so after every call, so that the bot can't rely on this field.
  file.updated = (file.updated ?? file.created) + 1;
  return { file: json, comments: [], response_metadata: { next_cursor: '' } };
}

function getUploadUrl({ world, team, args }: BotCall): Json {
  const name = requiredText(args, 'filename');
  const length = wholeNumber(args, 'length') ?? 0;
  // An empty file can't be uploaded: Slack treats a length of 0 as missing.
  if (length === 0) throw new SlackRefusal('missing_argument');
  const secret = newSecret();
  const ticket: Ticket = {
    teamId: team.id,
    fileId: newId('F'),
    name,
    length,
    stored: undefined,
    completed: false,
  };
  world.tickets.set(secret, ticket);
  return { upload_url: `${world.origin}/upload/v1/${secret}`, file_id: ticket.fileId };
}

function complete(call: BotCall): Json {
  const { world, team, args } = call;
  const requested = parseFiles(structure(args, 'files'));
  const tickets = requested.map(({ id }) => {
    const ticket = [...world.tickets.values()].find(({ fileId, teamId }) => fileId === id && teamId === team.id);
    const isRefused = ticket?.completed && world.behaviour.secondShare === 'refused';
    // Not uploaded, not uploaded completely, or already completed.
    if (!ticket?.stored || isRefused) throw new SlackRefusal('file_not_found');
    return ticket;
  });
  const channel = target(call);
  const threadTs = text(args, 'thread_ts');
  if (threadTs !== undefined && !channel) throw invalidArguments('thread_ts needs a channel');
  if (channel) threadOf(channel, threadTs);
  const blocks = structure(args, 'blocks', 'invalid_blocks_format');
  // Slack accepts these blocks in messages, but fails here.
  if (Array.isArray(blocks) && blocks.some((block: Json) => block.type === 'markdown')) {
    throw new SlackRefusal('internal_error');
  }
  const content = blocks === undefined ? { text: '' } : messageContent({ text: ' ', blocks: args.blocks });
  const files = tickets.map((ticket, index) => {
    const earlier = ticket.completed ? team.files.get(ticket.fileId) : undefined;
    return earlier ?? createFile(world, team, ticket, requested[index]?.title ?? ticket.name);
  });
  shareLater(world, () => {
    for (const file of files) delete file.isScanned;
    const fileIds = files.filter(({ deleted }) => !deleted).map(({ id }) => id);
    if (!channel || fileIds.length === 0) return;
    post(world, team, channel, { ...byApp(world, team), ...content, ...threadOf(channel, threadTs), fileIds });
  });
  return { files: files.map((file) => fileInfoJson(world, team, file, { shares: true })) };
}

function parseFiles(value: unknown): { id: string; title: string | undefined }[] {
  if (!Array.isArray(value) || value.length === 0)
    throw invalidArguments('must be a list of files [json-pointer:/files]');
  return value.map((entry: unknown) => {
    const { id, title } = (typeof entry === 'object' && entry !== null ? entry : {}) as Json;
    if (typeof id !== 'string') throw invalidArguments('missing required field: id [json-pointer:/files]');
    return { id, title: typeof title === 'string' ? title : undefined };
  });
}

/** The conversation to share to. */
function target({ world, team, installation, args }: BotCall): Channel | undefined {
  const id = text(args, 'channel_id');
  if (id === undefined) return undefined;
  return postingChannel(world, team, installation, id, { acceptUserId: false, acceptPublic: false });
}

function createFile(world: World, team: Team, ticket: Ticket, title: string): FileRecord {
  const { stored } = ticket;
  if (!stored || !team.appUser) throw new Error('the upload is not complete');
  ticket.completed = true;
  const file: FileRecord = {
    id: ticket.fileId,
    teamId: team.id,
    userId: team.appUser.id,
    name: ticket.name,
    title,
    mimetype: mimeTypeOf(ticket.name),
    mode: 'hosted',
    size: ticket.length,
    sha256: stored.sha256,
    data: { size: ticket.length, open: stored.open },
    created: Math.floor(world.clock() / 1000),
    shares: [],
    givenToApp: true,
    deleted: false,
    isScanned: false,
    reads: 0,
  };
  team.files.set(file.id, file);
  return file;
}

function deleteFile({ team, args }: BotCall): Json {
  const file = fileVisibleToApp(team, requiredText(args, 'file'));
  if (!file) throw new SlackRefusal('file_not_found');
  if (file.deleted) throw new SlackRefusal('file_deleted');
  if (file.userId !== team.appUser?.id) throw new SlackRefusal('cant_delete_file');
  file.deleted = true;
  return {};
}
