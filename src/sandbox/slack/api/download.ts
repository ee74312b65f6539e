import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, textAnswer } from '../http.ts';
import { fileVisibleToApp } from '../state/files.ts';
import type { FileRecord, Team } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { bearerToken } from './process.ts';

/** The parts of a file's path: `/files-pri/`, `/files-origin/` or `/files-edge/`, the ids, for an edge host a key. */
export function parseFilePath(path: string) {
  const [, host, teamId = '', fileId = '', key = ''] =
    /^\/files-(pri|origin|edge)\/(\w+)-(\w+)(?:-(\w+))?\//.exec(path) ?? [];
  return { host, teamId, fileId, key };
}

/** A file by its private URL. A client without access is redirected to the sign-in page, as a browser would be. */
export function downloadAnswer(world: World, path: string, headers: IncomingHttpHeaders): Answer {
  const { host, teamId, fileId, key } = parseFilePath(path);
  const team = world.teams.get(teamId);
  if (host === 'edge') {
    // Like hosts with signed URLs, which refuse a second kind of authorization.
    if (headers.authorization !== undefined) return textAnswer(400, 'only one authorization is allowed');
    const file = team && key === edgeKey(team, fileId) ? team.files.get(fileId) : undefined;
    return file === undefined ? textAnswer(403, 'wrong signature') : contentAnswer(file);
  }
  const file = team && accessibleFile(team, bearerToken(headers), fileId);
  if (!file) {
    const location = `${world.origin}/?redir=${encodeURIComponent(path)}`;
    return textAnswer(302, '', { location, 'x-slack-meta': '?;acl_fail' });
  }
  const { fileHost } = world.behaviour;
  const redirected = { location: path.replace('/files-pri/', '/files-origin/') };
  if (host === 'pri' && fileHost === 'files-origin') return textAnswer(302, '', redirected);
  if (fileHost === 'edge') return textAnswer(302, '', { location: edgeUrl(world, team, file) });
  return contentAnswer(file);
}

function contentAnswer(file: FileRecord): Answer {
  if (file.mode === 'external' || file.deleted) return textAnswer(404, 'not found');
  return {
    status: 200,
    headers: {
      'content-type': file.mimetype,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'cache-control': 'private, max-age=1',
    },
    body: file.stripped ?? { size: file.size, open: () => file.data.open() },
  };
}

const edgeKey = (team: Team, fileId: string) =>
  createHash('sha256').update(`${team.installation?.token} ${fileId}`).digest('hex');

/** By its other name, this machine is another host. */
function edgeUrl(world: World, team: Team, { id, name }: FileRecord): string {
  const url = new URL(`/files-edge/${team.id}-${id}-${edgeKey(team, id)}/${encodeURIComponent(name)}`, world.origin);
  url.hostname = 'localhost';
  return url.href;
}

function accessibleFile(team: Team, token: string | undefined, fileId: string): FileRecord | undefined {
  const { installation } = team;
  if (!installation || installation.token !== token || !installation.scopes.includes('files:read')) return undefined;
  const file = fileVisibleToApp(team, fileId);
  return file?.refusal === undefined ? file : undefined;
}
