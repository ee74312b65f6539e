import { randomUUID } from 'node:crypto';
import { announceFileDeletion } from '../delivery/announce-message.ts';
import { post } from '../delivery/messages.ts';
import { inMemory, mimeTypeOf } from '../state/files.ts';
import { newId, shortId } from '../state/ids.ts';
import type { Blob, Channel, FileRecord, Message, Team, User } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { escapeText } from './text.ts';

/** A file that a person adds, given as its data, as a `Blob` or as a link. */
export type Upload = { name: string; type?: string; title?: string } & (
  | { data: Uint8Array | string }
  | Blob
  /** A link to a file elsewhere, for example in cloud storage. */
  | { externalUrl: string }
) & {
    snippet?: true;
    /** For an image: its content without EXIF data, which Slack sends instead of the upload. */
    stripped?: string;
    /** For content created in Slack, for example `quip` (a canvas) or `list`. */
    mode?: string;
  };

/** Posts a person's message, with or without files. */
export function postAsUser(
  world: World,
  team: Team,
  user: User,
  channel: Channel,
  {
    text,
    files = [],
    forwarded,
    threadTs,
  }: { text: string; files?: FileRecord[]; forwarded?: Message[]; threadTs?: string },
): Message {
  if (!channel.members.has(user.id)) throw new Error(`${user.name} is not a member of #${channel.name}`);
  if (channel.archived) throw new Error(`#${channel.name} is archived`);
  const written = escapeText(team, text).replace(/<([@#])(\w+)\|[^>]*>/g, '<$1$2>');
  return post(world, team, channel, {
    userId: user.id,
    teamId: user.teamId,
    ...(user.botId === undefined ? { clientMessageId: randomUUID() } : { botId: user.botId }),
    text: written,
    fileIds: files.map(({ id }) => id),
    ...(forwarded && { forwarded }),
    ...(written !== '' && {
      blocks: [
        {
          type: 'rich_text',
          block_id: shortId(),
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
        },
      ],
    }),
    ...(threadTs !== undefined && { threadTs }),
  });
}

/** Uploads a file; only the uploader sees it until it is shared. */
export function uploadFile(world: World, team: Team, user: User, upload: Upload): FileRecord {
  const external = 'externalUrl' in upload;
  const data = external ? inMemory('') : 'data' in upload ? inMemory(upload.data) : upload;
  const file: FileRecord = {
    id: newId('F'),
    teamId: team.id,
    userId: user.id,
    name: upload.name,
    title: upload.title ?? upload.name,
    mimetype: upload.type ?? mimeTypeOf(upload.name),
    mode: upload.mode ?? (external ? 'external' : upload.snippet ? 'snippet' : 'hosted'),
    ...(external && { externalUrl: upload.externalUrl }),
    size: data.size,
    data,
    ...(upload.stripped !== undefined && { stripped: inMemory(upload.stripped) }),
    created: Math.floor(world.clock() / 1000),
    shares: [],
    givenToApp: false,
    deleted: false,
    reads: 0,
  };
  team.files.set(file.id, file);
  return file;
}

export function deleteFile(world: World, team: Team, file: FileRecord): void {
  file.deleted = true;
  announceFileDeletion(world, team, file.id);
}
