import type { FileRecord, Json, Team } from '../model.ts';
import type { World } from '../world.ts';
import { omit } from './omit.ts';

const prettyTypes: Record<string, string> = {
  text: 'Plain Text',
  csv: 'CSV',
  pdf: 'PDF',
  png: 'PNG',
  jpg: 'JPEG',
  zip: 'Zip',
};

function fileJson(world: World, team: Team, file: FileRecord): Json {
  const external = file.mode === 'external';
  const path = `${team.id}-${file.id}`;
  const name = encodeURIComponent(file.name);
  const isScanned = file.isScanned ?? true;
  const filetype = isScanned ? filetypeOf(file.name) : '';
  const json = {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    mimetype: isScanned ? file.mimetype : '',
    filetype,
    pretty_type: prettyTypes[filetype] ?? filetype.toUpperCase(),
    user: file.userId,
    user_team: team.users.get(file.userId)?.teamId ?? team.id,
    editable: file.mode === 'snippet',
    ...(file.updated !== undefined && { updated: file.updated }),
    ...(file.edited !== undefined && { edit_timestamp: file.edited }),
    size: external ? 0 : file.size,
    mode: file.mode,
    is_external: external,
    external_type: external ? 'gdrive' : '',
    is_public: isPublic(team, file),
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: external ? file.externalUrl : `${world.origin}/files-pri/${path}/${name}`,
    ...(!external && { url_private_download: `${world.origin}/files-pri/${path}/download/${name}` }),
    media_display_type: 'unknown',
    permalink: `${world.origin}/files/${file.userId}/${file.id}/${name}`,
    permalink_public: `${world.origin}/files-pub/${path}`,
    has_rich_preview: false,
    file_access: 'visible',
    has_more_shares: false,
  };
  const { processingLag, lateFields } = world.behaviour;
  return file.reads < processingLag ? omit(json, ...lateFields) : json;
}

/** A file as in files.info, with its shares if `shares` is true. */
export function fileInfoJson(world: World, team: Team, file: FileRecord, { shares }: { shares: boolean }): Json {
  const ids = (kind: 'public' | 'private' | 'im') => [
    ...new Set(file.shares.map(({ channelId }) => channelId).filter((id) => team.channels.get(id)?.kind === kind)),
  ];
  return {
    ...fileJson(world, team, file),
    comments_count: 0,
    is_starred: false,
    shares: shares ? { ...sharesOf(team, file, true), ...sharesOf(team, file, false) } : {},
    channels: shares ? ids('public') : [],
    groups: shares ? ids('private') : [],
    ims: shares ? ids('im') : [],
  };
}

function sharesOf(team: Team, file: FileRecord, inPublic: boolean): Json {
  const byChannel: Record<string, Json[]> = {};
  for (const { channelId, ts, threadTs } of file.shares) {
    const channel = team.channels.get(channelId);
    if (!channel || (channel.kind === 'public') !== inPublic) continue;
    const list = byChannel[channelId] ?? [];
    byChannel[channelId] = list;
    list.push({
      reply_users: [],
      reply_users_count: 0,
      reply_count: 0,
      ts,
      ...(threadTs !== undefined && { thread_ts: threadTs }),
      channel_name: channel.name,
      team_id: team.id,
      share_user_id: file.userId,
      source: 'UNKNOWN',
    });
  }
  if (Object.keys(byChannel).length === 0) return {};
  return { [inPublic ? 'public' : 'private']: byChannel };
}

/** A file inside a message or a form, as the app gets it. */
export function embeddedFileJson(world: World, team: Team, file: FileRecord): Json {
  if (file.deleted) return { id: file.id, mode: 'tombstone' };
  // Files of other organisations are sent as a stub; files.info has the rest.
  if (team.users.get(file.userId)?.role === 'stranger') {
    return { id: file.id, created: 0, timestamp: 0, mode: 'file_access', user: '', file_access: 'check_file_info' };
  }
  return fileJson(world, team, file);
}

function isPublic(team: Team, file: FileRecord): boolean {
  return file.shares.some(({ channelId }) => team.channels.get(channelId)?.kind === 'public');
}

function filetypeOf(name: string): string {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase();
  return extension === 'txt' ? 'text' : (extension ?? 'binary');
}
