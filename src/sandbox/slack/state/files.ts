import type { Blob, FileRecord, Team } from './model.ts';
import { isAppMember } from './world.ts';

/** A file that the app can see: its own, one attached to a form, or one shared in a conversation of the app. */
export function fileVisibleToApp(team: Team, id: string): FileRecord | undefined {
  const file = team.files.get(id);
  if (!file) return undefined;
  const shared = file.shares.some(({ channelId }) => {
    const channel = team.channels.get(channelId);
    return channel !== undefined && isAppMember(team, channel);
  });
  return file.givenToApp || shared ? file : undefined;
}

const types: Record<string, string> = {
  txt: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  zip: 'application/zip',
  xls: 'application/vnd.ms-excel',
  doc: 'application/msword',
};

export function mimeTypeOf(name: string): string {
  return types[/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}

export function inMemory(data: Uint8Array | string): Blob {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  return {
    size: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    },
  };
}
